import FuzzInput
import LocatedYAML

/// JSON with positions.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? YAMLNode.parse(json: FuzzInput(start, count).text, file: "input.json")
    return 0
}
