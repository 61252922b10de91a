import FuzzInput
import JSON
@testable import MockOrigin

/// The first line is a Content-Type, the rest the content; and the fields and JSON that routes match.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (line, rest) = FuzzInput(start, count).firstLineAndRest
    _ = MultipartFormReader.read(rest.bytes, type: line)
    _ = JSONValue(content: rest.bytes)?.written()
    for range in ByteRanges(line)?.satisfied(count: 1000) ?? [] {
        precondition(0 <= range.lowerBound && range.upperBound <= 1000, "\(range) is none of 1000 bytes")
    }
    _ = AcceptedCoding.allowsGzip(line)
    _ = EntityTagValue(line)
    _ = HTTPTimestamp(reading: line, now: HTTPTimestamp(seconds: 1_700_000_000))
    return 0
}
