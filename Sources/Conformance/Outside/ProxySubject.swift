import CacheClient
import CacheSemantics
import Clocks
import PublicSuite
import Scenarios

/// A proxy in front of the origin, as its clients see it.
final class ProxySubject: Subject {
    /// After which a proxy that does not answer is not waited for.
    private static let patience = Duration.seconds(6)
    private static let ofConnection: Set<String> = ["connection", "keep-alive", "transfer-encoding"]
    private let proxy: any ProxyAccess
    private let clock: SystemClock
    private let origin: any StageOrigin
    private let followsRedirects: Bool
    private let onClose: @Sendable () -> Void
    private let overlap = RequestOverlap()

    init(
        _ proxy: any ProxyAccess,
        clock: SystemClock,
        origin: any StageOrigin,
        followsRedirects: Bool,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.proxy = proxy
        self.clock = clock
        self.origin = origin
        self.followsRedirects = followsRedirects
        self.onClose = onClose
    }

    var breakdown: String? { proxy.breakdown }

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
        Task(executorPreference: proxy.caller.executor) { [proxy, origin, overlap] in
            let reply = await proxy.send(call, within: request.timeout ?? Self.patience)
            var seen = CallerObservation(reply)
            // They are about the connection to the caller, and were never part of a stored response.
            seen.fields.removeAll { Self.ofConnection.contains($0.name.lowercased()) }
            if overlap.end(flight) {
                seen.source = ObservedSource.source(of: seen, origin.record(after: told))
            }
            seen.age = CacheFields.age(in: seen.fields)
            seen.cacheStatus = CacheFields.lastStatus(in: seen.fields)
            completion(seen)
        }
        return UncancelledExchange()
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

    func close() { onClose() }
}

extension SubjectError {
    fileprivate static var noStore: SubjectError { SubjectError("A proxy's store cannot be reached.") }
}
