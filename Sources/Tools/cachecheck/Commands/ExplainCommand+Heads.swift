import CacheClient
import CacheSemantics
import Clocks
import Explanation
import HTTPTypes
import LocatedYAML
import HTTPArchive

/// Reading the heads to explain.
extension ExplainCommand {
    /// Returns the exchanges whose heads are given by options, files or standard input; several only from standard input.
    func exchanges() throws(YAMLProblems) -> [ExplainedExchange] {
        var exchanges: [ExplainedExchange]
        if let har { exchanges = [try archived(har)] } else { exchanges = try heads() }
        var nextHead: HTTPRequest?
        if let nextRequest { nextHead = try next(nextRequest, exchanges.first?.request.scheme ?? "http") }
        for index in exchanges.indices {
            exchanges[index].engine = engine
            exchanges[index].after = after ?? .zero
            exchanges[index].policy = policy
            exchanges[index].next = nextHead
        }
        return exchanges
    }

    private func archived(_ path: String) throws(YAMLProblems) -> ExplainedExchange {
        let source = path == Self.input ? "/dev/stdin" : path
        let json = try decodableText(source, named: path, expected: "an HTTP archive")
        let entries = try HTTPArchive(json: json, file: path).entries
        guard entry >= 1, entry <= entries.count else {
            let found = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
            let expected = "an entry with the number \(entry)"
            throw YAMLProblems(at: Position(file: path), found: found, expected: expected)
        }
        if entries.count > 1 {
            printError(
                "entry \(entry) of \(entries.count); --entry selects another, cachecheck audit --har checks all"
            )
        }
        return try ExplainedExchange(entries[entry - 1])
    }

    /// Whether the response is to be read from standard input: no other option describes it or reads standard input.
    private var readsInput: Bool {
        let isDescribed = response != nil || status != nil || !responseHeader.isEmpty
        return !isDescribed && request != Self.input && nextRequest != Self.input
    }

    /// Returns the heads from files and options, or from standard input if neither gives one.
    private func heads() throws(YAMLProblems) -> [ExplainedExchange] {
        let request = try self.request.map { path throws(YAMLProblems) in
            try RawHead.request(try text(of: path), file: Self.name(of: path))
        }
        if readsInput { return try inputHeads(besides: request) }
        let response = try self.response.map { path throws(YAMLProblems) in
            try RawHead.response(try text(of: path), file: Self.name(of: path))
        }
        return [exchange(asked(for: request), answered(with: response))]
    }

    /// Returns the heads from standard input; a given request is that of the first response.
    private func inputHeads(besides given: HTTPRequest?) throws(YAMLProblems) -> [ExplainedExchange] {
        let name = Self.name(of: Self.input)
        var exchanges: [ExplainedExchange] = []
        for parts in RawHead.exchanges(in: try text(of: Self.input)) {
            let head = try parts.request.map { text throws(YAMLProblems) in
                try RawHead.request(text, file: name)
            }
            let response = try RawHead.response(parts.response, file: name)
            var request = asked(for: exchanges.isEmpty ? given ?? head : head)
            if head == nil, let before = exchanges.last {
                request = before.redirected ?? assumed(like: request)
            }
            exchanges.append(exchange(request, response))
        }
        return exchanges
    }

    /// Returns the request for a URL that is not known: --url is that of the first response only.
    private func assumed(like request: HTTPRequest) -> HTTPRequest {
        var request = request
        (request.scheme, request.authority, request.path) = ("https", RawHead.assumedAuthority, "/")
        return request
    }

    /// Returns the request with the changes of the options.
    func asked(for request: HTTPRequest?) -> HTTPRequest {
        var request =
            request
            ?? HTTPRequest(method: .get, scheme: "https", authority: RawHead.assumedAuthority, path: "/")
        if let url, let (scheme, authority, path) = RawHead.absolute(url) {
            (request.scheme, request.authority, request.path) = (scheme, authority, path)
        }
        if let method { request.method = method }
        request.headerFields.append(contentsOf: header)
        return request
    }

    private func answered(with response: HTTPResponse?) -> HTTPResponse {
        var response = response ?? HTTPResponse(status: .ok)
        if let status { response.status = .init(code: status) }
        response.headerFields.append(contentsOf: responseHeader)
        return response
    }

    private func exchange(_ request: HTTPRequest, _ response: HTTPResponse) -> ExplainedExchange {
        let now = HTTPDate(secondsSinceEpoch: Int64(SystemClock().wallSeconds))
        let date = response.headerFields[.date].flatMap { HTTPDate(parsing: $0, now: now) }
        return ExplainedExchange(request: request, response: response, at: date ?? now)
    }

    /// Returns the request head in a file.
    func next(_ path: String, _ scheme: String) throws(YAMLProblems) -> HTTPRequest {
        try RawHead.request(try text(of: path), file: Self.name(of: path), scheme: scheme)
    }

    private func text(of path: String) throws(YAMLProblems) -> String {
        try decodableHeads(path == Self.input ? "/dev/stdin" : path, named: path, expected: "a head")
    }

    /// Returns a line for an exchange whose URL is not given; `nil` for others.
    static func assumption(of exchange: ExplainedExchange) -> String? {
        guard exchange.request.authority == RawHead.assumedAuthority else { return nil }
        return "No URL was given; assuming \(exchange.url). Set it with --url."
    }

    /// The file name that means standard input.
    static let input = "-"

    private static func name(of path: String) -> String { path == input ? "standard input" : path }
}

extension ExplainedExchange {
    /// The URL of the request.
    var url: String { "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")" }

    /// The request by which a client follows the response; `nil` if it is no redirect that can be followed.
    fileprivate var redirected: HTTPRequest? {
        let location = response.headerFields[.location]
        guard [301, 302, 303, 307, 308].contains(response.status.code), let location,
            let target = try? TargetURL(url).resolve(location),
            let (scheme, authority, path) = RawHead.absolute(String(target.text.prefix { $0 != "#" }))
        else { return nil }
        var followed = request
        (followed.scheme, followed.authority, followed.path) = (scheme, authority, path)
        return followed
    }
}
