import FuzzInput

@testable import Conformance

/// What drivers write, reports that are merged, and lists of failures that are expected.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count)
    for line in input.bytes.split(separator: 0x0A) {
        _ = try? DriverReply.decode(Array(line), file: "driver")
    }
    _ = try? RunLog(text: input.text, file: "input.json")
    _ = try? Baseline(text: input.text, file: "baseline.txt")
    return 0
}
