import FuzzInput
@testable import Scenarios
@testable import StackScenarios

/// Files of scenarios, in virtual and in real time.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    for realTime in [false, true] {
        _ = try? ScenarioDecoder.decode(
            text: text,
            path: "scenarios/input.yaml",
            realTime: realTime,
            language: .withStack()
        )
    }
    return 0
}
