public import CacheClient
public import CacheSemantics
public import CacheStorage
import Clocks
import HTTPServing

/// One request to a gateway and its outcome.
public struct GatewayExchange: Sendable, CustomStringConvertible {
    /// The method as it was received.
    public let method: String
    /// The request target as it was received; with its query, which may contain secrets.
    public let target: String
    /// The version of HTTP in which the request was received.
    public let version: HTTPVersion
    /// The status of the response; `nil` if the caller was gone before there was one.
    public internal(set) var status: Int?
    /// The cache's handling of the request; `nil` if the gateway refused it.
    public internal(set) var cacheStatus: CacheStatus?
    /// The size of the response's content as it was sent, without framing.
    public internal(set) var contentSize = ByteCount.zero
    /// Whether the response was sent as a whole.
    public internal(set) var isComplete = true
    /// When the request's head had been received, as the time since 1970.
    ///
    /// Exchanges are ordered by it, not by their reports: a hit may be reported before the miss that stored its response.
    public internal(set) var startedAt = Duration.zero
    /// The time from the end of the request's head to the end of the response.
    public internal(set) var duration = Duration.zero

    /// The request line: `GET /a?b HTTP/1.1`.
    public var requestLine: String { "\(method) \(target) HTTP/\(version.rawValue)" }

    /// One line: `"GET /a HTTP/1.1" 200 5 0.012 s CacheCheck; hit; ttl=60; key="http://a.example/a"`.
    public var description: String {
        let number = status.map { "\($0)" } ?? "-"
        let cache = cacheStatus.map { " \($0)" } ?? ""
        let end = isComplete ? "" : " incomplete"
        return "\"\(requestLine)\" \(number) \(contentSize.bytes) \(duration.secondsText) s\(end)\(cache)"
    }
}

/// Reports exchanges to the observer of a gateway.
struct ExchangeReporter: Sendable {
    /// The beginning of an exchange.
    struct Beginning {
        let timeSinceEpoch: Duration
        let elapsed: Duration
    }
    let observer: @Sendable (GatewayExchange) -> Void
    let clock: any TimeSource

    /// Returns the beginning of an exchange that begins now.
    func begin() -> Beginning { Beginning(timeSinceEpoch: clock.timeSinceEpoch, elapsed: clock.elapsed) }

    /// Reports a hit that is answered at once.
    func reportHit(_ exchange: GatewayExchange, _ hit: StoredHit, begun: Beginning) {
        var exchange = exchange
        var status = CacheStatus(key: hit.key.targetURI, isHit: true)
        status.ttl = .seconds(hit.reuse.lifetime - hit.reuse.age)
        exchange.cacheStatus = status
        exchange.status = hit.reuse.stored.statusCode
        exchange.contentSize = .bytes(hit.count)
        report(exchange, begun: begun)
    }

    /// Reports an exchange that ends now.
    func report(_ exchange: GatewayExchange, begun: Beginning) {
        var exchange = exchange
        exchange.startedAt = begun.timeSinceEpoch
        exchange.duration = clock.elapsed - begun.elapsed
        observer(exchange)
    }
}

/// The report of one exchange, which ends once.
struct PendingReport: Sendable {
    private let reporter: ExchangeReporter
    private let exchange: GatewayExchange
    private let begun: ExchangeReporter.Beginning

    init(_ request: StreamRequest, _ reporter: ExchangeReporter) {
        self.reporter = reporter
        exchange = GatewayExchange(request)
        begun = reporter.begin()
    }

    /// Reports the exchange, which ends now.
    func end(
        status: Int?,
        _ cacheStatus: CacheStatus? = nil,
        contentBytes: Int = 0,
        isComplete: Bool = true
    ) {
        var exchange = exchange
        (exchange.status, exchange.cacheStatus) = (status, cacheStatus)
        (exchange.contentSize, exchange.isComplete) = (.bytes(contentBytes), isComplete)
        reporter.report(exchange, begun: begun)
    }
}

extension GatewayExchange {
    /// Creates an exchange without an outcome.
    init(_ request: StreamRequest) {
        method = String(decoding: request.method, as: UTF8.self)
        target = String(decoding: request.target, as: UTF8.self)
        version = request.isHTTP11 ? .http11 : .http10
    }

    /// Creates an exchange without an outcome.
    init(_ head: StreamHead) {
        method = String(decoding: head.method, as: UTF8.self)
        target = String(decoding: head.target, as: UTF8.self)
        version = head.isHTTP11 ? .http11 : .http10
    }
}
