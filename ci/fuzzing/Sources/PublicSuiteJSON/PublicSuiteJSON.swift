import FuzzInput
import PublicSuite

@testable import OriginScript

/// Files of the public suite, what its browser pages send and its states.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = FuzzInput(start, count).text
    _ = try? SuiteFile.decode(json: text, file: "input.json")
    _ = try? ElementScript.decode(json: text)
    _ = try? StateEntry.decode(json: text)
    _ = ScriptInteger.parse(text)
    return 0
}
