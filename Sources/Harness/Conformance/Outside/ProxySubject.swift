import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import PublicSuite
import Scenarios

/// A proxy in front of the origin, as its clients see it.
final class ProxySubject: SubjectAdapter {
    /// The time limit of a proxy's response.
    private static let patience = Duration.seconds(10)
    /// The same limit while the proxy answers other requests; no origin's script delays a response by more than 5 s.
    private static let usualPatience = Duration.seconds(6)
    private static let ofConnection: Set<String> = ["connection", "keep-alive", "transfer-encoding"]
    private let proxy: any ProxyAccess
    private let clock: SystemClock
    private let origin: any ScenarioOrigin
    private let followsRedirects: Bool
    private let isTimed: Bool
    private let permits: ScenarioPermits
    private let isAsking: @Sendable () -> Bool
    private let onClose: @Sendable () -> Void
    private let overlap = RequestOverlap()

    /// Creates a subject.
    ///
    /// `isTimed` is whether time has to pass in the scenario, `isAsking` whether the origin has an unanswered request.
    init(
        _ proxy: any ProxyAccess,
        clock: SystemClock,
        origin: any ScenarioOrigin,
        followsRedirects: Bool,
        isTimed: Bool,
        permits: ScenarioPermits,
        isAsking: @escaping @Sendable () -> Bool,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.proxy = proxy
        self.clock = clock
        self.origin = origin
        self.followsRedirects = followsRedirects
        self.isTimed = isTimed
        self.permits = permits
        self.isAsking = isAsking
        self.onClose = onClose
    }

    var breakdown: String? { proxy.breakdown }

    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange {
        let earlierCount = origin.record(after: 0).count
        let flight = overlap.begin()
        let call = WireRequest(
            method: request.method,
            url: request.url,
            fields: request.fields,
            body: request.body,
            followsRedirects: followsRedirects,
            isTimed: isTimed,
            isBesideOthers: request.isBesideOthers,
            permits: permits,
            hangsAfter: Self.usualPatience
        )
        Task(executorPreference: proxy.caller.executor) { [proxy, origin, overlap] in
            let reply = await proxy.send(call, within: request.timeout ?? Self.patience)
            var seen = CallerObservation(reply)
            // These fields are about the connection to the caller and were never part of a stored response.
            seen.fields.removeAll { Self.ofConnection.contains($0.name.lowercased()) }
            seen.age = CacheFields.age(in: seen.fields)
            seen.cacheStatus = CacheFields.lastStatus(in: seen.fields)
            if overlap.end(flight) {
                seen.source = .inferred(from: seen, origin.record(after: earlierCount))
            }
            seen.decode()
            completion(seen)
        }
        return UncancelledExchange()
    }

    func lookup(_ request: SubjectRequest) throws(SubjectError) -> CallerObservation { throw .noStore }

    func store(_ entry: SubjectEntry) throws(SubjectError) { throw .noStore }

    func perform(_ action: CacheAction, url: (String) -> String) throws(SubjectError) { throw .noStore }

    func restart() throws(SubjectError) { throw .noStore }

    func use(_ network: ClientNetwork) {}

    func finishBackgroundWork(_ completion: @escaping @Sendable () -> Void) {
        finishBackgroundWork(until: clock.elapsed + Self.patience, completion)
    }

    /// A proxy does not report the end of its work; most are done shortly after the origin has responded.
    private func finishBackgroundWork(
        until deadline: Duration,
        _ completion: @escaping @Sendable () -> Void
    ) {
        let timer = clock.schedule(after: Self.pause) { [weak self] in
            guard let self, isAsking(), clock.elapsed < deadline else { return completion() }
            finishBackgroundWork(until: deadline, completion)
        }
        overlap.keep(timer)
    }

    private static let pause = Duration.seconds(1)

    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation { throw .noStore }

    func close() { onClose() }
}

extension CallerObservation {
    private static let largestContent = 64 << 20

    /// Decodes gzip and deflate content, as the callers of caches do; content that cannot be decoded stays.
    mutating func decode() {
        guard let status else { return }
        let response = HTTPResponse(
            status: HTTPResponse.Status(code: status),
            headerFields: HTTPFields(latin1Lines: fields)
        )
        do throws(TransportError) {
            body = try ContentDecoder.decode(body, of: response, limit: Self.largestContent)
        } catch {
            // The expectations report the unexpected content.
        }
    }
}

extension SubjectError {
    fileprivate static var noStore: SubjectError { SubjectError("A proxy's store cannot be accessed.") }
}
