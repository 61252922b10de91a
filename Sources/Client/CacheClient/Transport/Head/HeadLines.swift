import CacheStorage
import HTTPTypes

/// The parser of the lines of a head or of trailers (RFC 9112 §4, §5).
enum HeadLines {
    /// Takes the next line without its end; empty at the end of the head.
    static func next(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
        let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
        rest = rest[end...]
        return withoutEnd(line)
    }

    /// Returns whether a line has nothing but its end.
    static func isEmpty(_ line: UnsafeRawBufferPointer) -> Bool { withoutEnd(line).isEmpty }

    static func withoutEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var count = line.count
        while count > 0, line[count - 1] == UInt8(ascii: "\n") || line[count - 1] == UInt8(ascii: "\r") {
            count -= 1
        }
        return UnsafeRawBufferPointer(rebasing: line[..<count])
    }

    // MARK: The status line

    /// Parses `HTTP/1.1 200 OK`: three digits after the first space, then anything.
    static func status(of line: UnsafeRawBufferPointer) -> (
        version: HTTPVersion, status: HTTPResponse.Status
    )? {
        guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: UInt8(ascii: " ")),
            let version = version(line[5..<space])
        else { return nil }
        let rest = line[(space + 1)...]
        let digits = rest.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let code = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        let reason = rest.dropFirst(3)
        guard reason.first.map({ $0 == UInt8(ascii: " ") }) ?? true else { return nil }
        let status = HTTPResponse.Status(
            code: code,
            reasonPhrase: String(decoding: reason.dropFirst(), as: UTF8.self)
        )
        return (version, status)
    }

    /// Parses a version; a higher minor version counts as HTTP/1.1 (RFC 9110 §2.5) if libcurl accepts it, which 7.88 does
    /// not.
    private static func version(_ number: Slice<UnsafeRawBufferPointer>) -> HTTPVersion? {
        if number.elementsEqual("1.1".utf8) { return .http11 }
        if number.elementsEqual("1.0".utf8) { return .http10 }
        // As libcurl writes it.
        if number.elementsEqual("2".utf8) { return .http2 }
        return number.starts(with: "1.".utf8) && number.count == 3
            && (48...57).contains(number[number.endIndex - 1])
            ? .http11 : nil
    }

    // MARK: Field lines

    /// Adds a line's field to `fields`; returns the reason why the line is not a field line or cannot be trusted, otherwise
    /// `nil`.
    static func add(_ line: UnsafeRawBufferPointer, to fields: inout [HTTPField]) -> String? {
        if let first = line.first, isBlank(first) { return fold(line, into: &fields) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return "A field line has no colon." }
        let spelled = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let bytes = trimmed(spelled)
        guard let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) else {
            return "A field line has no valid name."
        }
        // RFC 9112 §5.1: whitespace before the colon is removed, which libcurl does not do when it looks for the
        // length.
        if bytes.count != spelled.count, framing.contains(name) {
            return "There is whitespace after the name \(name.rawName)."
        }
        fields.append(
            HTTPField(
                name: name,
                lenientValue: trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
            )
        )
        return nil
    }

    /// Appends a line that starts with whitespace to the previous one; the line break becomes a space (RFC 9112 §5.2).
    private static func fold(_ line: UnsafeRawBufferPointer, into fields: inout [HTTPField]) -> String? {
        // RFC 9112 §2.2.
        guard let last = fields.indices.last else { return "The first field line begins with whitespace." }
        let name = fields[last].name
        // libcurl looks for the length in the first line only.
        if framing.contains(name) { return "The field \(name.rawName) is folded." }
        let joined = fields[last].withUnsafeBytesOfValue { Array($0) } + [UInt8(ascii: " ")] + trimmed(line)
        fields[last] = joined.withUnsafeBytes { HTTPField(name: name, lenientValue: trimmed($0)) }
        return nil
    }

    /// The fields that libcurl and this client must read in the same way.
    private static let framing: Set<HTTPField.Name> = [.contentLength, .transferEncoding]

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var low = 0
        var high = bytes.count
        while low < high, isBlank(bytes[low]) { low += 1 }
        while high > low, isBlank(bytes[high - 1]) { high -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[low..<high])
    }
}
