import FuzzInput
import Scenarios

/// Files of scenarios, in virtual and in real time.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    _ = try? ScenarioDecoder.decode(text: text, path: "scenarios/input.yaml")
    _ = try? ScenarioDecoder.decode(text: text, path: "scenarios/input.yaml", realTime: true)
    return 0
}
