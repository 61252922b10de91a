import CacheStorage
import CLibrary
import HTTPTypes

/// A parser that assembles responses from the lines that libcurl passes on unchanged.
struct HeadParser {
    /// The result of a line.
    enum Step {
        /// Nothing is complete yet.
        case incomplete
        /// A 1xx response.
        case interim(HTTPResponse)
        /// The final head, whose version is in `version`.
        case final(HTTPResponse)
        /// A malformed or untrustworthy head, with the reason in a sentence.
        case malformed(String)
    }
    /// Whether the final head is complete; what follows are trailers.
    private(set) var isComplete = false
    /// The version of the last head.
    private(set) var version = HTTPVersion.http11
    /// Trailer fields.
    var trailers: HTTPFields { Self.list(trailerFields) }
    var hasTrailers: Bool { !trailerFields.isEmpty }
    private var trailerFields: [HTTPField] = []
    /// The head so far, each line with its end; empty while it equals the last one.
    private var bytes: [UInt8] = []
    /// The lines of the last final head, and its parsed form: consecutive responses often have the same head.
    private var knownBytes: [UInt8] = []
    private var known: Head?
    /// The number of bytes in which the head equals the last one, while it has no others.
    private var familiar = 0

    /// Whether a status line of HTTP/2, as libcurl writes it for such responses, is accepted: without TLS, the server
    /// itself would have sent that line.
    private var acceptsHTTP2 = false

    private struct Head {
        let version: HTTPVersion
        let response: HTTPResponse
    }

    /// Starts the next response.
    mutating func begin(acceptsHTTP2: Bool = false) {
        self.acceptsHTTP2 = acceptsHTTP2
        isComplete = false
        familiar = 0
        if !bytes.isEmpty { bytes.removeAll(keepingCapacity: true) }
        trailerFields = []
    }

    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        if isComplete { return takeTrailer(HeadLines.withoutEnd(line)) }
        let isEnd = (familiar > 0 || !bytes.isEmpty) && HeadLines.isEmpty(line)
        if bytes.isEmpty, isFamiliar(line) {
            familiar += line.count
            return isEnd ? endFamiliar() : .incomplete
        }
        if familiar > 0 { recall() }
        bytes.append(contentsOf: line)
        if let problem = problem(with: line) { return .malformed(problem) }
        return isEnd ? end() : .incomplete
    }

    /// Returns the reason why a head cannot continue with `line`; `nil` if it can.
    private func problem(with line: UnsafeRawBufferPointer) -> String? {
        if bytes.count > Self.maximumBytes { return "The server's response has too large a head." }
        // RFC 9112 §2.2: a bare CR is invalid. At the start of a line, libcurl treats it as the end of the head.
        let hasBareCR = line.first == UInt8(ascii: "\r") && !HeadLines.isEmpty(line)
        return hasBareCR ? Self.notHTTP : nil
    }

    private mutating func takeTrailer(_ line: UnsafeRawBufferPointer) -> Step {
        if line.isEmpty { return .incomplete }
        if let problem = HeadLines.add(line, to: &trailerFields) {
            return .malformed(Self.notHTTP + " " + problem)
        }
        return trailerFields.count > Self.maximumFields ? .malformed(Self.tooManyFields) : .incomplete
    }

    /// Returns whether the last head continued with `line`.
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
        guard acceptsHTTP2 || known.version != .http2 else { return .malformed(Self.notHTTP) }
        isComplete = true
        version = known.version
        return .final(known.response)
    }

    private mutating func end() -> Step {
        defer { bytes.removeAll(keepingCapacity: true) }
        let head: Head
        switch bytes.withUnsafeBytes(Self.head) {
        case .success(let parsed): head = parsed
        case .failure(let problem): return .malformed(problem.text)
        }
        let response = head.response
        version = head.version
        guard acceptsHTTP2 || version != .http2 else { return .malformed(Self.notHTTP) }
        if (100..<200).contains(response.status.code) { return .interim(response) }
        isComplete = true
        known = head
        swap(&knownBytes, &bytes)
        return .final(response)
    }

    /// The reason why a head cannot be trusted.
    private struct Problem: Error {
        let text: String
    }

    private static func head(_ bytes: UnsafeRawBufferPointer) -> Result<Head, Problem> {
        var rest = bytes[...]
        guard let (version, status) = HeadLines.status(of: HeadLines.next(&rest)) else {
            return .failure(Problem(text: notHTTP))
        }
        var fields: [HTTPField] = []
        fields.reserveCapacity(12)
        while case let line = HeadLines.next(&rest), !line.isEmpty {
            if let problem = HeadLines.add(line, to: &fields) {
                return .failure(Problem(text: notHTTP + " " + problem))
            }
        }
        guard fields.count <= maximumFields else { return .failure(Problem(text: tooManyFields)) }
        let response = HTTPResponse(status: status, headerFields: list(fields))
        // RFC 9110 §15.2.2: no request of ours has an Upgrade field, so there is nothing to switch to.
        if status.code == 101 {
            return .failure(Problem(text: "The server switched protocols without being asked to."))
        }
        if let problem = ResponseFraming.problem(of: response, version) {
            return .failure(Problem(text: problem))
        }
        return .success(Head(version: version, response: response))
    }

    private static let notHTTP = "The server's response is not HTTP."
    /// Less than libcurl's limit, beyond which it would report a broken connection.
    private static let maximumBytes = 256 << 10
    /// Far more than any server sends, and fewer than `HTTPFields` can hold.
    private static let maximumFields = 10_000
    private static let tooManyFields = "The server's response has too many fields."

    /// Creates the list in one step: adding fields one by one costs several times as much.
    private static func list(_ fields: [HTTPField]) -> HTTPFields {
        var list = HTTPFields()
        if !fields.isEmpty { list.replaceSubrange(0..<0, with: fields) }
        return list
    }
}
