import HTTPTypes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
        /// This is not HTTP, or cannot be trusted; in one sentence.
        case malformed(String)
    }
    /// Whether the final head is complete; what follows are trailers.
    private(set) var isComplete = false
    /// Trailer fields.
    var trailers: HTTPFields { Self.list(trailerFields) }
    var hasTrailers: Bool { !trailerFields.isEmpty }
    private var trailerFields: [HTTPField] = []
    /// The head so far, each line with its end; empty as long as it is like the last one.
    private var bytes: [UInt8] = []
    /// The last final head, line by line, and what was made of it: one response's is often the same as the one before.
    private var knownBytes: [UInt8] = []
    private var known: HTTPResponse?
    /// How many bytes the head has in common with the last one, as long as it has no others.
    private var familiar = 0

    /// Begins anew with the next response.
    mutating func begin() {
        isComplete = false
        familiar = 0
        if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
        if hasTrailers { trailerFields = [] }
    }

    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        if isComplete {
            let line = Self.withoutEnd(line)
            if !line.isEmpty { Self.add(line, to: &trailerFields) }
            return trailerFields.count > Self.mostFields ? .malformed(Self.tooManyFields) : .incomplete
        }
        let isEnd = (familiar > 0 || !bytes.isEmpty) && Self.isEmpty(line)
        if bytes.isEmpty, isFamiliar(line) {
            familiar += line.count
            return isEnd ? endFamiliar() : .incomplete
        }
        if familiar > 0 { recall() }
        bytes.append(contentsOf: line)
        return isEnd ? end() : .incomplete
    }

    /// Whether the last head went on with `line`.
    private func isFamiliar(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let start = line.baseAddress, familiar + line.count <= knownBytes.count else { return false }
        return knownBytes.withUnsafeBytes { known in
            known.baseAddress.map { memcmp($0 + familiar, start, line.count) == 0 } ?? false
        }
    }

    private mutating func recall() {
        bytes.append(contentsOf: knownBytes[..<familiar])
        familiar = 0
    }

    private mutating func endFamiliar() -> Step {
        guard let known, familiar == knownBytes.count else {
            recall()
            return end()
        }
        familiar = 0
        isComplete = true
        return .final(known)
    }

    private mutating func end() -> Step {
        defer { bytes.removeAll(keepingCapacity: true) }
        guard let response = bytes.withUnsafeBytes(Self.response) else {
            return .malformed("The server's answer is not HTTP.")
        }
        if let problem = Self.problem(of: response) { return .malformed(problem) }
        if (100..<200).contains(response.status.code) { return .interim(response) }
        isComplete = true
        known = response
        swap(&knownBytes, &bytes)
        return .final(response)
    }

    private static func response(_ bytes: UnsafeRawBufferPointer) -> HTTPResponse? {
        var rest = bytes[...]
        guard let status = status(of: nextLine(&rest)) else { return nil }
        var fields: [HTTPField] = []
        fields.reserveCapacity(12)
        while case let line = nextLine(&rest), !line.isEmpty { add(line, to: &fields) }
        guard fields.count <= mostFields else { return nil }
        return HTTPResponse(status: status, headerFields: list(fields))
    }

    /// Why a head cannot be trusted; `nil` where it can.
    private static func problem(of response: HTTPResponse) -> String? {
        // RFC 9110 §15.2.2: no request of ours has an Upgrade field, so that nothing can be switched to.
        if response.status.code == 101 { return "The server switches protocols unasked." }
        // RFC 9112 §6.3: lengths that differ, where no transfer coding takes their place.
        guard let text = response.headerFields[.contentLength], text.contains(","),
            !response.headerFields.contains(.transferEncoding)
        else { return nil }
        let lengths = Set(text.split(separator: ",").map { Int($0.filter { $0 != " " && $0 != "\t" }) })
        return lengths.count > 1 ? "The server's answer has several lengths." : nil
    }

    /// Takes a line off; empty at the end of the head.
    private static func nextLine(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
        let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
        rest = rest[end...]
        return withoutEnd(line)
    }

    /// Far more than anybody sends, and fewer than `HTTPFields` can hold.
    private static let mostFields = 10_000
    private static let tooManyFields = "The server's answer has too many fields."

    /// All at once: one by one they cost several times as much.
    private static func list(_ fields: [HTTPField]) -> HTTPFields {
        var list = HTTPFields()
        if !fields.isEmpty { list.replaceSubrange(0..<0, with: fields) }
        return list
    }

    /// Whether there is nothing but the line's end.
    private static func isEmpty(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let first = line.first, first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n") else {
            return line.isEmpty
        }
        return withoutEnd(line).isEmpty
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

    private static func add(_ line: UnsafeRawBufferPointer, to fields: inout [HTTPField]) {
        // RFC 9112 §5.2: a line that begins with whitespace continues the one before.
        if line[0] == UInt8(ascii: " ") || line[0] == UInt8(ascii: "\t") { return fold(line, into: &fields) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = trimmed(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        guard let name = KnownNames.name(name) ?? HTTPField.Name(String(decoding: name, as: UTF8.self))
        else { return }
        let value = trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        fields.append(HTTPField(name: name, lenientValue: value))
    }

    private static func fold(_ line: UnsafeRawBufferPointer, into fields: inout [HTTPField]) {
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
