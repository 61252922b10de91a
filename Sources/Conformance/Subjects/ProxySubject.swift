import CacheClient
import CacheSemantics
import Clocks
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
    private let overlap = RequestOverlap()

    init(caller: WireCaller, clock: SystemClock, origin: any StageOrigin, followsRedirects: Bool) {
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
            if overlap.end(flight) { seen.source = Self.source(of: seen, origin.record(after: told)) }
            seen.age = CacheFields.age(in: seen.fields)
            seen.cacheStatus = CacheFields.lastStatus(in: seen.fields)
            completion(seen)
        }
        return ProxyExchange()
    }

    /// What the origin saw tells where the response came from.
    private static func source(of seen: CallerObservation, _ arrivals: [OriginExchange]) -> String? {
        guard seen.error == nil, let status = seen.status else { return nil }
        guard let last = arrivals.last else { return status == 504 ? "none" : "cache" }
        let isConfirmed = last.request.answeredStatus == 304 && status != 304
        return isConfirmed ? "validated" : "origin"
    }

    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation { throw .noStore }

    func store(_ entry: SubjectEntry) throws(SubjectError) { throw .noStore }

    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError) { throw .noStore }

    func restart() throws(SubjectError) { throw .noStore }

    func setOnline(_ isOnline: Bool) {}

    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void) {
        // Nobody can say when a proxy has nothing more to do; most have after this.
        let alarm = clock.schedule(after: .milliseconds(200), completion)
        overlap.keep(alarm)
    }

    func usage() throws(SubjectError) -> UsageObservation { throw .noStore }

    func close() {}
}

extension SubjectError {
    fileprivate static var noStore: SubjectError { SubjectError("A proxy's store cannot be reached.") }
}

/// A request to a proxy, which nobody cancels.
private struct ProxyExchange: SubjectExchange {
    func cancel() {}
}
