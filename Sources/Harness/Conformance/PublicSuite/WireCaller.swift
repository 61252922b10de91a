import CacheClient
import Clocks
import HTTPTypes
import Locks
import OriginScript
import PublicSuite

/// A request to a subject outside the process; field values are sent in ISO-8859-1.
struct WireRequest: Sendable {
    var method: String
    /// Absolute URL.
    var url: String
    var fields: [(name: String, value: String)]
    var body: [UInt8]?
    var followsRedirects = true
    /// Whether the request is urgent, so that it precedes others that wait for a permit.
    var isTimed = false
    /// Whether it is one of several concurrent requests, so that it needs no permit.
    var isBesideOthers = false
    /// Where its permit is recorded, to be ended when it waits for a script; `nil` for nowhere.
    var permits: ScenarioPermits?
    /// After this time it is given up if the subject has responded to later requests; `nil` leaves only the timeout.
    var hangsAfter: Duration?
}

/// Sends requests over the network with no cache in between, a limited number at a time.
///
/// A request that waits for the origin's script does not count as active, because later requests would be late
/// otherwise; neither does one that has taken more than a tenth of a second.
final class WireCaller: Sendable {
    private static let redirectLimit = 20
    private static let mostConnections = 1024
    private let transport: CurlTransport
    /// The transport of requests that are sent again, each on a new connection.
    private let fresh: CurlTransport
    private let clock: any TimeSource
    private let gate: Gate
    /// When the latest request that got a response was sent.
    private let latestAnswered = Lock(Duration.zero)

    /// Runs the tasks that send requests: a caller that waits for them may block a thread of Swift's own executor.
    var executor: ClientLoop { transport.loop }

    init(limit: Int, clock: any TimeSource) throws(TransportError) {
        let loop = try ClientLoop(connectionsPerHost: Self.mostConnections)
        transport = CurlTransport(loop: loop, resendsOnDeadConnection: false)
        self.clock = clock
        fresh = CurlTransport(loop: try ClientLoop(connectionsPerHost: Self.mostConnections))
        gate = Gate(limit)
    }

    /// Sends a request and follows its redirects; `patience` is the time limit of all of them together.
    ///
    /// `proxy` is the URL of a forward proxy; `nil` sends to the request's own host.
    func send(_ request: WireRequest, within patience: Duration, through proxy: String? = nil) async
        -> SuiteReply
    {
        let permit = request.isBesideOthers ? RequestPermit {} : await gate.enter(isHurried: request.isTimed)
        request.permits?.add(permit)
        let timer = clock.schedule(after: RequestPermit.length) { permit.end() }
        defer {
            timer.cancel()
            permit.end()
        }
        var request = request
        var redirects = 0
        while true {
            let reply = await exchange(request, within: patience, through: proxy)
            guard request.followsRedirects, redirects < Self.redirectLimit,
                case .response(let response) = reply,
                let next = request.redirected(by: response)
            else { return reply }
            request = next
            redirects += 1
        }
    }

    private func exchange(
        _ request: WireRequest,
        within patience: Duration,
        through proxy: String?
    ) async -> SuiteReply {
        guard let head = request.head.flatMap({ $0.asked(of: proxy) }) else {
            return .failed("\(request.url) is not a URL")
        }
        let reply = await exchange(request, head, within: patience, over: transport)
        guard case .unanswered(let text) = reply else { return reply.suiteReply }
        // RFC 9112 §9.3.1: some proxies close a reused connection if they have no response, so the request is sent
        // again; on a new connection they report the problem.
        guard head.method.isIdempotent else { return .failed(text) }
        var again = head
        again.headerFields[.connection] = "close"
        return await exchange(request, again, within: patience, over: fresh).suiteReply
    }

    private func exchange(
        _ request: WireRequest,
        _ head: HTTPRequest,
        within patience: Duration,
        over transport: CurlTransport
    ) async -> WireReply {
        let begin = clock.elapsed
        let collector = ResponseCollector()
        let body = request.body.map(RequestBody.bytes)
        let exchange = transport.start(TransportRequest(head: head, body: body), receiver: collector)
        let timer = clock.schedule(after: patience) {
            collector.giveUp()
            exchange.cancel()
        }
        // A subject that has responded to later requests is not slow: it hangs.
        let early = request.hangsAfter.map { [latestAnswered] patience in
            clock.schedule(after: patience) {
                guard latestAnswered.withLock({ $0 > begin }) else { return }
                collector.giveUp()
                exchange.cancel()
            }
        }
        defer {
            timer.cancel()
            early?.cancel()
        }
        let reply = await collector.reply()
        if case .reply(.response) = reply { latestAnswered.withLock { $0 = max($0, begin) } }
        return reply
    }
}

extension HTTPRequest {
    /// Returns the request in the absolute form that a forward proxy requires (RFC 9112 §3.2.2).
    fileprivate func asked(of proxy: String?) -> HTTPRequest? {
        guard let proxy, let schemeEnd = proxy.firstRange(of: "://") else { return self }
        guard let scheme, let authority, let path, let host = HTTPField.Name("Host") else { return nil }
        var request = self
        request.path = "\(scheme)://\(authority)\(path)"
        request.scheme = String(proxy[..<schemeEnd.lowerBound])
        request.authority = String(proxy[schemeEnd.upperBound...].prefix { $0 != "/" })
        if headerFields[host] == nil { request.headerFields[host] = authority }
        return request
    }
}

extension WireRequest {
    fileprivate var head: HTTPRequest? {
        guard let schemeEnd = url.firstRange(of: "://") else { return nil }
        let rest = url[schemeEnd.upperBound...]
        let path = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let method = HTTPRequest.Method(rawValue: method), path > rest.startIndex else { return nil }
        return HTTPRequest(
            method: method,
            scheme: String(url[..<schemeEnd.lowerBound]),
            authority: String(rest[..<path]),
            path: rest[path...].hasPrefix("/") ? String(rest[path...]) : "/" + rest[path...],
            headerFields: HTTPFields(latin1Lines: fields)
        )
    }

    /// Returns the request that a redirect requires; `nil` if it requires none (RFC 9110 §15.4).
    fileprivate func redirected(by response: SuiteResponse) -> WireRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.field(SuiteFieldName.location), let target = resolve(location)
        else { return nil }
        var next = self
        next.url = target
        let isRewritten =
            response.status == 303 ? method != "HEAD" : response.status < 303 && method == "POST"
        if isRewritten {
            next.method = "GET"
            next.body = nil
            next.fields.removeAll { Self.isAboutContent($0.name.lowercased()) }
        }
        return next
    }

    /// Whether a field, in lower case, describes the content, which is not sent again (RFC 9110 §15.4).
    private static func isAboutContent(_ name: String) -> Bool {
        name.hasPrefix("content-") || name == "digest" || name == HTTPField.Name.lastModified.canonicalName
    }

    private func resolve(_ location: String) -> String? {
        let reference = String(location.prefix { $0 != "#" })
        if reference.contains("://") { return reference }
        guard let schemeEnd = url.firstRange(of: "://") else { return nil }
        if reference.hasPrefix("//") { return url[..<schemeEnd.lowerBound] + ":" + reference }
        let authority = url[..<(url[schemeEnd.upperBound...].firstIndex(of: "/") ?? url.endIndex)]
        if reference.hasPrefix("/") { return authority + reference }
        let path = url.prefix { $0 != "?" }
        guard let slash = path.lastIndex(of: "/"), slash >= authority.endIndex else {
            return authority + "/" + reference
        }
        return path[...slash] + reference
    }
}

extension SuiteResponse {
    /// Creates a response from one that came over HTTP.
    fileprivate init(_ response: HTTPResponse, body: [UInt8], interim: [HTTPResponse]) {
        self.init(
            status: response.status.code,
            fields: response.headerFields.latin1Lines,
            body: body,
            interim: interim.map { Interim(status: $0.status.code, fields: $0.headerFields.latin1Lines) }
        )
    }
}

/// The result of one attempt.
private enum WireReply {
    case reply(SuiteReply)
    /// The connection ended before any byte of a response.
    case unanswered(String)

    var suiteReply: SuiteReply {
        switch self {
        case .reply(let reply): reply
        case .unanswered(let text): .failed(text)
        }
    }
}

/// Collects one response until it is complete.
private final class ResponseCollector: TransportReceiver {
    private struct State {
        var interim: [HTTPResponse] = []
        var head: HTTPResponse?
        var body: [UInt8] = []
        var isLate = false
        var end: Result<TransportEnd, TransportError>?
        var continuation: CheckedContinuation<Void, Never>?
    }
    private let state = Lock(State())

    func receive(interim response: HTTPResponse) { state.withLock { $0.interim.append(response) } }

    func receive(head response: HTTPResponse) { state.withLock { $0.head = response } }

    func receive(piece: [UInt8]) -> Bool {
        state.withLock { $0.body += piece }
        return true
    }

    func receive(end: Result<TransportEnd, TransportError>) {
        let continuation = state.withLock { state in
            state.end = end
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    func giveUp() { state.withLock { $0.isLate = true } }

    func reply() async -> WireReply {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.end == nil { state.continuation = continuation }
                return state.end != nil
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { state in
            switch (state.end, state.head) {
            case (.success, let head?):
                .reply(.response(SuiteResponse(head, body: state.body, interim: state.interim)))
            case (.failure, _) where state.isLate: .reply(.timedOut)
            case (.failure(let error), nil) where error.kind == .connectionLost:
                .unanswered(error.description)
            case (.failure(let error), _): .reply(.failed(error.description))
            default: .reply(.failed("the exchange ended without a response"))
            }
        }
    }
}
