import CacheSemantics
import Clocks
import Locks
import Scenarios

/// A cache behind a driver, as one scenario uses it.
final class DriverSubject: SubjectAdapter {
    private let link: DriverLink
    private let hello: DriverCapabilities
    private let access: OriginAccess
    private let clock = SystemClock()
    private let wallClock: any TimeSource
    private let onClose: @Sendable () -> Void
    private let overlap = RequestOverlap()
    /// The time for background work if the driver does not report its end: browsers start it when idle.
    private static let pause = Duration.seconds(1)

    init(
        link: DriverLink,
        hello: DriverCapabilities,
        at access: OriginAccess,
        wallClock: any TimeSource,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.link = link
        self.hello = hello
        self.access = access
        self.wallClock = wallClock
        self.onClose = onClose
    }

    var breakdown: String? { link.breakdown }

    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange {
        let arrivals = access.arrivalsFromNow()
        let flight = overlap.begin()
        // A request without its own timeout times out before the driver is abandoned, if the driver supports
        // timeouts.
        var request = request
        if request.timeout == nil, hello.capabilities.contains(.timeout) { request.timeout = .seconds(15) }
        let timeout = (request.timeout ?? .seconds(60)) + DriverPool.replyTimeout
        let sentAt = Lock(clock.elapsed)
        link.ask(
            .request(request),
            within: timeout,
            onSent: { [clock] in sentAt.withLock { $0 = clock.elapsed } }
        ) { [clock, overlap] reply in
            var seen = CallerObservation(reply)
            overlap.end(flight, &seen, arrivals)
            // The time in the queue is not the subject's.
            seen.took = max((clock.elapsed - sentAt.withLock { $0 }).seconds, 1e-9)
            seen.age = seen.age ?? CacheFields.age(in: seen.fields)
            seen.cacheStatus = CacheFields.lastStatus(in: seen.fields)
            completion(seen)
        }
        return UncancelledExchange()
    }

    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation {
        let entry = try entries().last { $0.url == request.url && $0.isSelected(by: request.fields) }
        var seen = CallerObservation()
        seen.isFound = entry != nil
        seen.status = entry?.status
        seen.fields = entry?.fields ?? []
        seen.body = entry?.body ?? []
        return seen
    }

    func store(_ entry: SubjectEntry) throws(SubjectError) {
        throw SubjectError("entries cannot be added to a driver's store")
    }

    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError) {
        guard action == .clear else { throw SubjectError("a driver can only clear its store") }
        try link.reset(at: wallClock.wallSeconds)
    }

    func restart() throws(SubjectError) {
        _ = try link.ask(.restart, within: DriverPool.replyTimeout).orThrow()
    }

    func use(_ network: ClientNetwork) {}

    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void) {
        if hello.capabilities.contains(.idle) {
            link.ask(.idle, within: DriverPool.replyTimeout) { _ in completion() }
        } else {
            overlap.keep(clock.schedule(after: Self.pause, completion))
        }
    }

    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation {
        let entries = try entries()
        let bytes = entries.reduce(0) { $0 + $1.body.count }
        return UsageObservation(memory: bytes, disk: bytes, files: entries.count, entries: entries.count)
    }

    func close() { onClose() }

    private func entries() throws(SubjectError) -> [DriverReply.Entry] {
        let reply = try link.ask(.dump, within: DriverPool.replyTimeout).orThrow()
        guard let entries = reply.entries else {
            throw SubjectError("the driver's reply to dump has no entries")
        }
        return entries
    }
}

extension DriverReply.Entry {
    /// Whether a request with `fields` selects it (RFC 9111 §4.1), as far as the driver reports.
    fileprivate func isSelected(by fields: [(name: String, value: String)]) -> Bool {
        guard let request else { return true }
        return CacheFields.varying(of: self.fields).allSatisfy { name in
            let presented = CacheFields.values(of: name, in: fields)
            // A client adds its own Accept-Encoding.
            if name == "accept-encoding", presented.isEmpty { return true }
            return presented == CacheFields.values(of: name, in: request)
        }
    }
}

/// A request that cannot be cancelled.
struct UncancelledExchange: SubjectExchange {
    func cancel() {}
}

extension CallerObservation {
    /// Creates the observation of a driver's reply to one request.
    init(_ reply: Result<DriverReply, SubjectError>) {
        self.init()
        switch reply {
        case .failure(let error): self.error = (-1, error.description)
        case .success(let reply):
            if let response = reply.response {
                self = response
                return
            }
            let silence = "it answered without a response or an error"
            let failure = reply.failure ?? .init(kind: DriverReply.Failure.unknown, text: silence)
            error = (ErrorCode.code(named: failure.kind) ?? -1, failure.text)
        }
    }
}
