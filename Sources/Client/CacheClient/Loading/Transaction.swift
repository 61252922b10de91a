import Addresses
import CacheSemantics
import CacheStorage
import HTTPTypes
import Synchronization

/// One request that passes through the cache.
struct Transaction: Sendable {
    /// The request as the cache sees it and as it is sent.
    var request: HTTPRequest { didSet { prepared = nil } }
    /// The prepared form of `request`, if it is known.
    private var prepared: PreparedRequest?
    var body: RequestBody?
    var policy: RequestCachePolicy
    var timeout: Duration?
    /// The time from the start of the load to its end; `nil` means no limit.
    let totalTimeout: Duration?
    /// When the load fails, on the client's clock; `nil` means never.
    var deadline: Duration?
    var connectTimeout: Duration?
    /// The rule for the addresses that may be connected to; `nil` permits any address.
    var addresses: AddressRule?
    var fragment: String?
    private let wasUncacheable: Bool
    /// Whether the request may wait for the exchange of an identical one, and others for its own.
    let isCollapsible: Bool
    /// Whether the caller reads the content piece by piece: the origin is slowed down while no other request waits for
    /// it.
    var isStreamed = false
    /// The receiver of interim responses.
    var observer: (any LoadObserver)?
    /// The redirect that led here; `nil` for the first transaction.
    var redirectResponse: HTTPResponse?

    /// Creates the first transaction of a request; throws if the URL cannot be used.
    init(
        _ request: __shared ClientRequest,
        _ configuration: __shared CachingClient.Configuration
    ) throws(ClientError) {
        let prepared = configuration.prepared(request)
        if let problem = prepared.problem { throw ClientError(problem, url: request.url) }
        self.request = prepared.request
        self.prepared = prepared
        body = try Self.body(of: request)
        addresses = request.addresses
        policy = request.policy ?? configuration.defaultPolicy
        timeout = request.timeout ?? configuration.defaultTimeout
        totalTimeout = request.totalTimeout ?? configuration.defaultTotalTimeout
        connectTimeout = request.connectTimeout ?? configuration.connectTimeout
        fragment = prepared.fragment
        wasUncacheable = prepared.isUncacheable
        isCollapsible = request.isCollapsible
    }

    mutating func addAcceptEncoding() { PreparedRequest.addAcceptEncoding(to: &request) }

    /// Whether the response is for this request alone.
    var isUncacheable: Bool {
        wasUncacheable || prepared == nil && PreparedRequest.namesAnotherHost(request)
    }

    /// Returns the primary cache key by the rules of an engine.
    func key(_ engine: CacheEngine) -> CacheKey {
        if isUncacheable { return engine.key(for: request, content: ContentDigest.uncacheableFields) }
        if request.method == .query { return engine.key(for: request, content: contentDigest) }
        if hasContent { return engine.key(for: request, hasContent: true) }
        return prepared?.key(by: engine) ?? engine.key(for: request)
    }

    /// Whether content is sent, or may be.
    var hasContent: Bool { body?.mayHaveBytes == true }

    var url: String { prepared?.url ?? request.urlText }

    /// The URL with the fragment, for the caller.
    var fullURL: String { fragment.map { url + "#" + $0 } ?? url }
}

/// A plan with the entries from which it was made; an object, because it is large and passed on often.
final class PlannedLookup: Sendable {
    let planned: PlannedRequest
    let entries: [LocatedEntry]
    let damage: [StorageDamage]
    /// When it was planned.
    let moment: HTTPDate

    init(planned: PlannedRequest, entries: [LocatedEntry], damage: [StorageDamage], at moment: HTTPDate) {
        self.planned = planned
        self.entries = entries
        self.damage = damage
        self.moment = moment
    }

    /// The damage that the lookup found, as the `detail` of a response.
    ///
    /// Callers of a shared cache learn neither the URLs of others nor the paths of files (RFC 9211 §4).
    var damageDetail: String? {
        let own = damage.first { $0.subject == planned.key.targetURI }
        return own?.description ?? damage.first.map { "the store: \($0.reason)" }
    }

    /// Returns the entry stored in the place of a response.
    func entry(of stored: StoredResponse) -> LocatedEntry? {
        entries.first { $0.entry.stored.variant == stored.variant }
    }

    /// Returns the entry with the content of a stored response: itself, or another variant if it is an alias.
    func content(of stored: StoredResponse) -> LocatedEntry? {
        entries.first { $0.entry.stored.variant == stored.contentVariant }
    }

    /// Whether the entry in the place of `stored` answers without a validation.
    func isFresh(_ stored: StoredResponse) -> Bool {
        guard case .serve(let reuse) = planned.plan else { return false }
        return reuse.stored.variant == stored.variant && reuse.revalidation == nil && !reuse.isStale
    }

    /// The validation that goes with serving a stale response (RFC 5861 §3); `nil` if none does.
    var revalidation: Validation? {
        if case .serve(let reuse) = planned.plan { reuse.revalidation } else { nil }
    }

    /// Returns the lookup of a background request that validates what is served stale (RFC 5861 §3).
    func validating(_ validation: Validation) -> PlannedLookup {
        var validating = planned
        (validating.plan, validating.forwardReason) = (.validate(validation), .stale)
        return PlannedLookup(planned: validating, entries: entries, damage: [], at: moment)
    }
}

/// The result of one transaction; an object, because it is large and passed on often.
final class TransactionResult: @unchecked Sendable {
    // Reason: one task at a time owns it, and changes it only before it is handed to a reader.
    enum Content: Sendable {
        case none
        case stored(StoredBody)
        case live(Exchange)
        case composed([Segment])
    }
    /// A piece of composed content.
    enum Segment: Sendable {
        case bytes([UInt8])
        case stored(StoredBody, Range<Int>)
        case live(Exchange)
    }
    let request: HTTPRequest
    var response: HTTPResponse
    var content = Content.none
    /// The number of bytes that the origin sends for composed content; `nil` if its own head states it.
    var arriving: Int?
    var source: ResponseSource { metrics.source }
    /// The length of the content according to the head; `nil` if it does not state it.
    var contentLength: Int? { response.headerFields[.contentLength].flatMap { Int($0) } }
    var isStale = false
    var age: Int64?
    var findings: [Finding]
    var status: CacheStatus
    var metrics: TransactionMetrics
    var cause: TransportError?
    /// The response to store when the content is complete.
    var pending: PendingResponse?
    /// The stored response to which `content` belongs.
    var stored: StoredResponse?
    /// The leader of other requests that wait for the content.
    var leader: FlightLeader?

    init(
        _ request: HTTPRequest,
        _ response: HTTPResponse,
        findings: [Finding],
        status: CacheStatus,
        metrics: TransactionMetrics
    ) {
        self.request = request
        self.response = response
        self.findings = findings
        self.status = status
        self.metrics = metrics
    }

    /// The exchange that delivers content; `nil` if all of it is present.
    var exchange: Exchange? {
        switch content {
        case .live(let exchange): return exchange
        case .composed(let segments):
            for case .live(let exchange) in segments { return exchange }
            return nil
        case .none, .stored: return nil
        }
    }

    /// The content as segments, in order.
    var segments: [Segment] {
        switch content {
        case .none: []
        case .stored(let body): [.stored(body, 0..<body.count)]
        case .live(let exchange): [.live(exchange)]
        case .composed(let segments): segments
        }
    }
}

/// A response that is to be stored when its content is complete.
struct PendingResponse: Sendable {
    let stored: StoredResponse
    /// The response stored for its key and variant when the request was planned.
    let seen: StoredResponse?
    /// The changes of the key meanwhile.
    let watch: KeyWatch?
    /// The ranges into which the content is split; `nil` for content that is stored as received.
    var ranges: SeparatedRanges?
    /// The version of HTTP in which it was received.
    var version = HTTPVersion.http11

    /// Whether an unsafe request has invalidated it (RFC 9111 §4.4, RFC 9875).
    var isInvalidated: Bool { watch?.isInvalidated(for: stored) == true }

    /// Returns its place, in which `current` is stored now.
    func place(with current: StoredResponse?) -> StoredPlace {
        let isCleared = watch?.isCleared == true
        return StoredPlace(seen: seen, current: current, isInvalidated: isInvalidated, isCleared: isCleared)
    }
}

/// The leader of a flight, which ends when the leader is released.
final class FlightLeader: Sendable {
    private let flights: Flights
    private let key: FlightKey
    let flight: Flight
    private let hasEnded = Atomic(false)

    init(flights: Flights, key: FlightKey, flight: Flight) {
        self.flights = flights
        self.key = key
        self.flight = flight
    }

    deinit { if !hasEnded.load(ordering: .relaxed) { flights.end(key, flight) } }

    /// Closes the flight, if no other request has joined and `isLanded` succeeds, which serves later requests without
    /// it.
    func endAlone(_ isLanded: () -> Bool) -> Bool {
        guard flights.endAlone(key, flight, isLanded) else { return false }
        hasEnded.store(true, ordering: .relaxed)
        return true
    }

    /// Publishes the content, `nil` if it will never arrive, and closes the flight to further requests, however long the leader
    /// still reads.
    func end(_ content: Flight.Content?) {
        flight.land(content)
        flights.end(key, flight)
        hasEnded.store(true, ordering: .relaxed)
    }
}
