import FuzzInput
import TextCodings
@testable import HTTPServing

/// Request heads, one behind the other on a connection, and what their targets say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count)
    var reader = HeadReader()
    input.bytes.withUnsafeBufferPointer { bytes in
        var rest = bytes
        while case .complete(let end) = reader.read(rest, limits: StreamServer.Configuration()) {
            check(reader, rest, end)
            rest = UnsafeBufferPointer(rebasing: rest[end...])
        }
    }
    _ = PercentText.decode(input.text)
    _ = PercentText.decode(input.text, plusIsSpace: true)
    return 0
}

private func check(_ reader: HeadReader, _ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) {
    // What the journal keeps of a head is parsed again when it is shown.
    let lines = reader.lines.first.map { Array(bytes[$0.name.lowerBound..<end - 2]) } ?? []
    let fields = ServedField.lines(lines[...])
    let read = reader.lines.map {
        ServedField(String(decoding: bytes[$0.name], as: UTF8.self), bytes: bytes[$0.value])
    }
    precondition(fields == read, "\(fields) is not \(read)")
    precondition(end > 0 && end <= bytes.count, "a head of \(end) bytes")
    for range in [reader.method, reader.target] + reader.lines.flatMap({ [$0.name, $0.value] }) {
        precondition(0 <= range.lowerBound && range.upperBound < end, "\(range) is outside of the head")
    }
}
