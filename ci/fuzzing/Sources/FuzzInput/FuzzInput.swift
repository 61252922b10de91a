/// What libFuzzer made up, as the parsers take it.
public struct FuzzInput {
    /// The bytes.
    public let bytes: [UInt8]

    /// Copies libFuzzer's bytes, so that a read beyond their end is found.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        bytes = Array(UnsafeBufferPointer(start: start, count: count))
    }

    private init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// The bytes as text; what is not UTF-8 is replaced.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The lines of the text, without their ends.
    public var lines: [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// What lines of three hyphens divide.
    public var parts: [[UInt8]] {
        let mark = Array("\n---\n".utf8)
        var parts: [[UInt8]] = []
        var start = 0
        for end in bytes.indices where end >= start && bytes[end...].starts(with: mark) {
            parts.append(Array(bytes[start..<end]))
            start = end + mark.count
        }
        return parts + [Array(bytes[start...])]
    }

    /// The first line, which chooses or configures, and what follows it.
    public var firstLineAndRest: (line: String, rest: FuzzInput) {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        return (line, FuzzInput(bytes[end...].dropFirst()))
    }
}
