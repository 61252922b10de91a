import FuzzInput
import LocatedYAML

/// YAML with positions.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? YAMLNode.parse(FuzzInput(start, count).text, file: "input.yaml")
    return 0
}
