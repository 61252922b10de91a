import FuzzInput
import HTTPTypes

@testable import CacheClient

/// Responses line by line as libcurl hands them on, and coded content.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count)
    var parser = HeadParser()
    // Twice: the second time every head is like the one before.
    for _ in 0..<2 { read(input.bytes, &parser) }
    let (line, rest) = input.firstLineAndRest
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentEncoding] = line
    if let content = try? ContentDecoder.decode(rest.bytes, of: head, limit: 1 << 20) {
        precondition(content.count <= 1 << 20 || content.count == rest.bytes.count, "\(content.count) bytes")
    }
    return 0
}

private func read(_ bytes: [UInt8], _ parser: inout HeadParser) {
    parser.begin()
    var rest = bytes[...]
    while !rest.isEmpty {
        let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
        let step = rest[..<end].withUnsafeBytes { parser.take($0) }
        if case .malformed = step { return }
        rest = rest[end...]
    }
    _ = parser.trailers
}
