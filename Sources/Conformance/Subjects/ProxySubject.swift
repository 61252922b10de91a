import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import PublicSuite
import Scenarios

/// A proxy in front of the origin, as its clients see it.
final class ProxySubject: Subject {
    /// After which a proxy that does not answer is not waited for.
    private static let patience = Duration.seconds(10)
    private let caller: WireCaller
    private let clock: SystemClock
    private let origin: any StageOrigin
    private let followsRedirects: Bool
    private let isAsking: @Sendable () -> Bool
    private let overlap = RequestOverlap()

    /// `isAsking` tells whether the origin has a request that it has not answered.
    init(
        caller: WireCaller,
        clock: SystemClock,
        origin: any StageOrigin,
        followsRedirects: Bool,
        isAsking: @escaping @Sendable () -> Bool
    ) {
        self.isAsking = isAsking
        self.caller = caller
        self.clock = clock
        self.origin = origin
        self.followsRedirects = followsRedirects
    }

    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange {
        let told = origin.record(after: 0).count
        let flight = overlap.begin()
        let call = WireRequest(
            method: request.method,
            url: request.url,
            fields: request.fields,
            body: request.body,
            followsRedirects: followsRedirects
        )
        Task(executorPreference: caller.executor) { [caller, origin, overlap] in
            let reply = await caller.send(call, within: request.timeout ?? Self.patience)
            var seen = CallerObservation(reply)
            seen.age = CacheFields.age(in: seen.fields)
            seen.cacheStatus = CacheFields.lastStatus(in: seen.fields)
            if overlap.end(flight) { seen.source = Self.source(of: seen, origin.record(after: told)) }
            seen.decode()
            completion(seen)
        }
        return ProxyExchange()
    }

    /// What the origin saw and answered tells where the response came from; `nil` where that is not enough.
    private static func source(of seen: CallerObservation, _ arrivals: [OriginExchange]) -> String? {
        guard seen.error == nil, let status = seen.status else { return nil }
        guard
            let answered = arrivals.last(where: { $0.request.answeredStatus != nil })?.request.answeredStatus
        else {
            // What a cache makes up itself has no age (RFC 9111 §5.1).
            return gatewayErrors.contains(status) && seen.age == nil ? "none" : "cache"
        }
        // A stale response that stands in for an error, or that is given out while it is validated.
        if answered >= 500 && status < 500 || seen.cacheStatus?[hit] == "?1" { return "cache" }
        guard answered == 304 else { return "origin" }
        // A 304 may be the origin's, or the answer to the caller's own condition from what was confirmed.
        return status == 304 ? nil : "validated"
    }

    private static let hit = "hit"

    private static let gatewayErrors: Set<Int> = [502, 503, 504]

    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation { throw .noStore }

    func store(_ entry: SubjectEntry) throws(SubjectError) { throw .noStore }

    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError) { throw .noStore }

    func restart() throws(SubjectError) { throw .noStore }

    func setOnline(_ isOnline: Bool) {}

    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void) {
        finishBackgroundWork(until: clock.elapsed + Self.patience, completion)
    }

    /// Nobody can say when a proxy has nothing more to do; most have a while after the origin has answered.
    private func finishBackgroundWork(
        until deadline: Duration,
        _ completion: @escaping @Sendable () -> Void
    ) {
        let alarm = clock.schedule(after: Self.pause) { [weak self] in
            guard let self, isAsking(), clock.elapsed < deadline else { return completion() }
            finishBackgroundWork(until: deadline, completion)
        }
        overlap.keep(alarm)
    }

    private static let pause = Duration.seconds(1)

    func usage() throws(SubjectError) -> UsageObservation { throw .noStore }

    func close() {}
}

extension CallerObservation {
    private static let largestContent = 64 << 20

    /// Takes gzip and deflate off the content, as the callers of caches do; what cannot be decoded stays.
    fileprivate mutating func decode() {
        guard let status else { return }
        let response = HTTPResponse(
            status: HTTPResponse.Status(code: status),
            headerFields: HTTPFields(latin1Lines: fields)
        )
        do throws(TransportError) {
            body = try ContentDecoder.decode(body, of: response, limit: Self.largestContent)
        } catch {
            // The expectations will say that it is not what was sent.
        }
    }
}

extension SubjectError {
    fileprivate static var noStore: SubjectError { SubjectError("A proxy's store cannot be reached.") }
}

/// A request to a proxy, which nobody cancels.
private struct ProxyExchange: SubjectExchange {
    func cancel() {}
}
