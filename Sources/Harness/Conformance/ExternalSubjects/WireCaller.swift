import CacheClient
import Clocks
import HTTPTypes
import Locks
import PublicSuite

/// Sends requests over the network with no cache in between, a limited number at a time.
///
/// A request that waits for the origin's script is not active, because later requests would be late otherwise; neither is one
/// that has taken more than a tenth of a second.
///
/// `CachingClient` cannot be used here: it has no concurrency limit, no forward proxies and no detection of subjects that hang,
/// and it adds Accept-Encoding, decodes content and removes credentials at redirects, while scenarios need requests and
/// responses unchanged. Scenarios test its redirects, so that they must not be followed by the same code here.
final class WireCaller: Sendable {
    private static let redirectLimit = 20
    private static let maximumConnections = 1024
    private let transport: CurlTransport
    /// The transport of requests that are sent again, each on a new connection.
    private let fresh: CurlTransport
    private let clock: any TimeSource
    private let limiter: ConcurrencyLimiter
    /// When the latest request that got a response was sent.
    private let latestAnswered = Lock(Duration.zero)

    /// Runs the tasks that send requests: a caller that waits for them may block a thread of Swift's own executor.
    var executor: ClientLoop { transport.loop }

    init(limit: Int, clock: any TimeSource) throws(TransportError) {
        let loop = try ClientLoop(connectionsPerHost: Self.maximumConnections)
        transport = CurlTransport(loop: loop, resendsOnDeadConnection: false)
        self.clock = clock
        fresh = CurlTransport(loop: try ClientLoop(connectionsPerHost: Self.maximumConnections))
        limiter = ConcurrencyLimiter(limit: limit)
    }

    /// Sends a request and follows its redirects; `timeout` is the time limit of all of them together.
    ///
    /// `proxy` is the URL of a forward proxy; `nil` sends to the request's own host.
    func send(_ request: WireRequest, within timeout: Duration, through proxy: String? = nil) async
        -> SuiteReply
    {
        let permit = await permit(for: request)
        request.permits?.add(permit)
        let timer = clock.schedule(after: Permit.length) { permit.end() }
        defer {
            timer.cancel()
            permit.end()
        }
        var request = request
        var redirects = 0
        while true {
            let reply = await exchange(request, within: timeout, through: proxy)
            guard request.followsRedirects, redirects < Self.redirectLimit,
                case .response(let response) = reply,
                let next = request.redirected(by: response)
            else { return reply }
            request = next
            redirects += 1
        }
    }

    /// Waits for the turn of a request; one in which time has to pass precedes the others.
    private func permit(for request: WireRequest) async -> Permit {
        guard !request.isConcurrent, await limiter.enter(priority: request.isTimed ? 1 : 0) else {
            return Permit {}
        }
        return Permit { [limiter] in limiter.leave() }
    }

    private func exchange(
        _ request: WireRequest,
        within timeout: Duration,
        through proxy: String?
    ) async -> SuiteReply {
        guard let head = request.head.flatMap({ $0.asked(of: proxy) }) else {
            return .failed("\(request.url) is not a URL")
        }
        let reply = await exchange(request, head, within: timeout, over: transport)
        guard case .unanswered(let text) = reply else { return reply.suiteReply }
        // RFC 9112 §9.3.1: some proxies close a reused connection if they have no response, so the request is sent
        // again; on a new connection they report the problem.
        guard head.method.isIdempotent else { return .failed(text) }
        var again = head
        again.headerFields[.connection] = "close"
        return await exchange(request, again, within: timeout, over: fresh).suiteReply
    }

    private func exchange(
        _ request: WireRequest,
        _ head: HTTPRequest,
        within timeout: Duration,
        over transport: CurlTransport
    ) async -> WireReply {
        let begin = clock.elapsed
        let collector = ResponseCollector()
        let body = request.body.map(RequestBody.bytes)
        let exchange = transport.start(TransportRequest(head: head, body: body), receiver: collector)
        let timer = clock.schedule(after: timeout) {
            collector.giveUp()
            exchange.cancel()
        }
        // A subject that has responded to later requests is not slow: it hangs.
        let early = request.hangsAfter.map { [latestAnswered] timeout in
            clock.schedule(after: timeout) {
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
