import CacheSemantics
import CacheStorage
import HTTPTypes
import Synchronization

/// One request on its way through the cache.
struct Hop: Sendable {
    /// As the cache and the wire see it.
    var request: HTTPRequest { didSet { prepared = nil } }
    /// What is known of `request` already.
    private var prepared: PreparedRequest?
    var body: RequestBody?
    var policy: RequestCachePolicy
    var timeout: Duration?
    /// Which addresses may be connected to; `nil` for any.
    var addresses: AddressRule?
    var fragment: String?
    /// Whether the caller reads the content piece by piece: it is held back while nobody else waits for it.
    var isStreamed = false
    /// Who is told of interim responses.
    var observer: (any LoadObserver)?
    /// The redirect that led here; `nil` for the first.
    var redirectResponse: HTTPResponse?

    /// Throws where the URL cannot be used.
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
        fragment = prepared.fragment
    }

    mutating func addAcceptEncoding() { PreparedRequest.addAcceptEncoding(to: &request) }

    /// The primary cache key as an engine has it.
    func key(_ engine: CacheEngine) -> CacheKey {
        if request.method == .query { return engine.key(for: request, content: contentDigest) }
        if hasContent { return engine.key(for: request, hasContent: true) }
        return prepared?.key(by: engine) ?? engine.key(for: request)
    }

    /// Whether content is sent, or may be.
    var hasContent: Bool { body?.mayHaveBytes == true }

    var url: String { prepared?.url ?? request.urlText }

    /// With the fragment, for the caller.
    var fullURL: String { fragment.map { url + "#" + $0 } ?? url }
}

/// A plan with the entries it was made from; an object, because it is large and goes through many hands.
final class PlannedLookup: Sendable {
    let planned: Planned
    let entries: [LocatedEntry]
    let damage: [StorageDamage]
    /// When it was planned.
    let moment: HTTPDate

    init(planned: Planned, entries: [LocatedEntry], damage: [StorageDamage], at moment: HTTPDate) {
        self.planned = planned
        self.entries = entries
        self.damage = damage
        self.moment = moment
    }

    /// What is stored in the place of a response.
    func entry(of stored: StoredResponse) -> LocatedEntry? {
        entries.first { $0.entry.stored.variant == stored.variant }
    }

    /// What has the content of a stored response: itself, or another variant where it is an alias.
    func content(of stored: StoredResponse) -> LocatedEntry? {
        entries.first { $0.entry.stored.variant == stored.contentVariant }
    }

    /// Whether what is stored in the place of `stored` answers as it is, without a validation.
    func isFresh(_ stored: StoredResponse) -> Bool {
        guard case .serve(let reuse) = planned.plan else { return false }
        return reuse.stored.variant == stored.variant && reuse.revalidation == nil && !reuse.isStale
    }
}

/// What one hop brought; an object, because it is large and goes through many hands.
final class HopAnswer: @unchecked Sendable {
    // Reason: one task at a time has it, and changes it only before it is handed to a reader.
    enum Content: Sendable {
        case none
        case stored(StoredBody)
        case live(Exchange)
        case composed([Segment])
    }
    /// A piece of content that is put together.
    enum Segment: Sendable {
        case bytes([UInt8])
        case stored(StoredBody, Range<Int>)
        case live(Exchange)
    }
    let request: HTTPRequest
    var response: HTTPResponse
    var content = Content.none
    /// How many bytes the origin is to send for content that is put together; `nil` where its own head tells.
    var arriving: Int?
    var source: ResponseSource { metrics.source }
    var isStale = false
    var age: Int64?
    var findings: [Finding]
    var status: CacheStatus
    var metrics: TransactionMetrics
    var cause: TransportError?
    /// To be stored when the content is complete.
    var pending: PendingResponse?
    /// The stored response that `content` belongs to.
    var stored: StoredResponse?
    /// Others that wait for the content.
    var departure: FlightLeader?

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

    /// The exchange that brings content; `nil` where all of it is there.
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
    /// What was stored in its place when the request was planned.
    let seen: StoredResponse?
    /// What happens to the key meanwhile.
    let watch: KeyWatch?
    /// How the content is to be taken apart into ranges; `nil` for one that is stored as it comes.
    var ranges: SeparatedRanges?

    /// Whether an unsafe request has made it outdated (RFC 9111 §4.4, RFC 9875).
    var isInvalidated: Bool { watch?.isInvalidated(for: stored) == true }
}

/// The lead of a flight, which ends when nobody holds it any more.
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

    /// Lets nobody join any more, if nobody has and `isLanded` succeeds, which lets whoever asks from now on do without.
    func endAlone(_ isLanded: () -> Bool) -> Bool {
        guard flights.endAlone(key, flight, isLanded) else { return false }
        hasEnded.store(true, ordering: .relaxed)
        return true
    }

    /// Lands the content and lets nobody join any more, however long the leader still reads.
    func end(_ content: Flight.Content) {
        flight.land(content)
        flights.end(key, flight)
        hasEnded.store(true, ordering: .relaxed)
    }
}
