import HTTPTypes

/// Puts responses together from the lines that libcurl hands on, byte for byte.
struct HeadParser {
    /// What a line completed.
    enum Step {
        /// Nothing yet.
        case incomplete
        /// A 1xx response.
        case interim(HTTPResponse)
        /// The final head.
        case final(HTTPResponse)
        /// This is not HTTP.
        case malformed
    }

    /// Whether the final head is complete; what follows are trailers.
    private(set) var isComplete = false
    /// Trailer fields.
    private(set) var trailers = HTTPFields()
    private var status: HTTPResponse.Status?
    private var fields = HTTPFields()

    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        let line = Self.withoutEnd(line)
        if isComplete { return trailer(line) }
        guard let status else { return begin(line) }
        if line.isEmpty { return end(status) }
        Self.add(line, to: &fields)
        return .incomplete
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) -> Step {
        status = Self.status(of: line)
        return status == nil ? .malformed : .incomplete
    }

    private mutating func end(_ status: HTTPResponse.Status) -> Step {
        let response = HTTPResponse(status: status, headerFields: fields)
        self.status = nil
        fields = HTTPFields()
        if (100..<200).contains(status.code) { return .interim(response) }
        isComplete = true
        return .final(response)
    }

    private mutating func trailer(_ line: UnsafeRawBufferPointer) -> Step {
        if !line.isEmpty { Self.add(line, to: &trailers) }
        return .incomplete
    }

    private static func withoutEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var count = line.count
        while count > 0, line[count - 1] == UInt8(ascii: "\n") || line[count - 1] == UInt8(ascii: "\r") {
            count -= 1
        }
        return UnsafeRawBufferPointer(rebasing: line[..<count])
    }

    /// `HTTP/1.1 200 OK`: three digits after the first space, then anything.
    private static func status(of line: UnsafeRawBufferPointer) -> HTTPResponse.Status? {
        guard line.starts(with: "HTTP/".utf8), let space = line.firstIndex(of: UInt8(ascii: " ")) else {
            return nil
        }
        let rest = line[(space + 1)...]
        let digits = rest.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let code = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        let reason = rest.dropFirst(3)
        guard reason.first.map({ $0 == UInt8(ascii: " ") }) ?? true else { return nil }
        return HTTPResponse.Status(
            code: code,
            reasonPhrase: String(decoding: reason.dropFirst(), as: UTF8.self)
        )
    }

    private static func add(_ line: UnsafeRawBufferPointer, to fields: inout HTTPFields) {
        // RFC 9112 §5.2: a line that begins with whitespace continues the one before.
        if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") { return fold(line, into: &fields) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = trimmed(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        guard let name = KnownNames.name(name) ?? HTTPField.Name(String(decoding: name, as: UTF8.self))
        else { return }
        let value = trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        fields.append(HTTPField(name: name, lenientValue: value))
    }

    private static func fold(_ line: UnsafeRawBufferPointer, into fields: inout HTTPFields) {
        guard let last = fields.indices.last else { return }
        let joined = fields[last].withUnsafeBytesOfValue { Array($0) } + [UInt8(ascii: " ")] + trimmed(line)
        fields[last] = HTTPField(name: fields[last].name, lenientValue: joined)
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var low = 0
        var high = bytes.count
        while low < high, bytes[low] == UInt8(ascii: " ") || bytes[low] == UInt8(ascii: "\t") { low += 1 }
        while high > low, bytes[high - 1] == UInt8(ascii: " ") || bytes[high - 1] == UInt8(ascii: "\t") {
            high -= 1
        }
        return UnsafeRawBufferPointer(rebasing: bytes[low..<high])
    }
}
