import CacheSemantics
import Clocks
import Explanation
import HTTPTypes
import LocatedYAML
import HTTPArchive

/// Reading the heads to explain.
extension ExplainCommand {
    /// The heads given by options, files or standard input.
    func exchange() throws(YAMLProblems) -> ExplainedExchange {
        var exchange: ExplainedExchange
        if let har { exchange = try archived(har) } else { exchange = try heads() }
        exchange.engine = engine
        exchange.after = (Quantity.duration(after) ?? .zero).components.seconds
        exchange.policy = RequestCachePolicy(rawValue: policy) ?? .useProtocolCachePolicy
        if let nextRequest { exchange.next = try next(nextRequest, exchange.request.scheme ?? "http") }
        return exchange
    }

    private func archived(_ path: String) throws(YAMLProblems) -> ExplainedExchange {
        let entries = try HTTPArchive(json: try text(of: path), file: path).entries
        guard entry >= 1, entry <= entries.count else {
            let start = Position(file: path, line: 1, column: 1)
            throw YAMLProblems([
                Problem(
                    at: start,
                    found: "\(entries.count) entries",
                    expected: "an entry with the number \(entry)"
                )
            ])
        }
        return try ExplainedExchange(entries[entry - 1])
    }

    /// Whether the response is to be read from standard input: no other option describes it or reads standard input.
    private var readsInput: Bool {
        let isToldOtherwise = response != nil || status != nil || !responseHeader.isEmpty
        return !isToldOtherwise && request != Self.input && nextRequest != Self.input
    }

    /// The heads from files and options, or from standard input if neither gives one.
    private func heads() throws(YAMLProblems) -> ExplainedExchange {
        var (request, response) = (HTTPRequest?.none, HTTPResponse?.none)
        if readsInput {
            let parts = RawHead.split(try text(of: Self.input))
            let name = Self.name(of: Self.input)
            if let text = parts.request { request = try RawHead.request(text, file: name) }
            response = try RawHead.response(parts.response, file: name)
        }
        if let path = self.request {
            request = try RawHead.request(try text(of: path), file: Self.name(of: path))
        }
        if let path = self.response {
            response = try RawHead.response(try text(of: path), file: Self.name(of: path))
        }
        return exchange(asked(for: request), answered(with: response))
    }

    /// The request with the changes of the options.
    func asked(for request: HTTPRequest?) -> HTTPRequest {
        var request =
            request
            ?? HTTPRequest(method: .get, scheme: "https", authority: "origin.example", path: "/")
        if let url, let (scheme, authority, path) = RawHead.absolute(url) {
            (request.scheme, request.authority, request.path) = (scheme, authority, path)
        }
        if let method = method.flatMap({ HTTPRequest.Method($0) }) { request.method = method }
        for field in header.compactMap(fieldLine) { request.headerFields.append(field) }
        return request
    }

    private func answered(with response: HTTPResponse?) -> HTTPResponse {
        var response = response ?? HTTPResponse(status: .ok)
        if let status { response.status = .init(code: status) }
        for field in responseHeader.compactMap(fieldLine) { response.headerFields.append(field) }
        return response
    }

    private func exchange(_ request: HTTPRequest, _ response: HTTPResponse) -> ExplainedExchange {
        let now = HTTPDate(secondsSinceEpoch: Int64(SystemClock().wallSeconds))
        let date = response.headerFields[.date].flatMap { HTTPDate(parsing: $0, now: now) }
        return ExplainedExchange(request: request, response: response, at: date ?? now)
    }

    /// The request head in a file.
    func next(_ path: String, _ scheme: String) throws(YAMLProblems) -> HTTPRequest {
        try RawHead.request(try text(of: path), file: Self.name(of: path), scheme: scheme)
    }

    private func text(of path: String) throws(YAMLProblems) -> String {
        if let text = readText(path == Self.input ? "/dev/stdin" : path) { return text }
        let start = Position(file: path, line: 1, column: 1)
        throw YAMLProblems([Problem(at: start, found: "a file that cannot be read", expected: "a head")])
    }

    /// The file name that means standard input.
    static let input = "-"

    private static func name(of path: String) -> String { path == input ? "standard input" : path }
}
