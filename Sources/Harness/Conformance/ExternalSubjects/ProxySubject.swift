import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes
import PublicSuite
import Scenarios

/// A proxy in front of the origin, as its clients see it.
final class ProxySubject: SubjectAdapter {
    /// The time limit of a proxy's response.
    private static let timeout = Duration.seconds(10)
    /// The same limit while the proxy answers other requests; no origin's script delays a response by more than 5 s.
    private static let busyTimeout = Duration.seconds(6)
    private static let ofConnection: Set<String> = ["connection", "keep-alive", "transfer-encoding"]
    private let proxy: ProxyAccess
    private let clock: SystemClock
    private let needs: SubjectNeeds
    private let access: OriginAccess
    private let onClose: @Sendable () -> Void
    private let overlap = RequestOverlap()

    init(
        _ proxy: ProxyAccess,
        clock: SystemClock,
        needs: SubjectNeeds,
        at access: OriginAccess,
        onClose: @escaping @Sendable () -> Void
    ) {
        (self.proxy, self.clock, self.needs, self.access) = (proxy, clock, needs, access)
        self.onClose = onClose
    }

    var breakdown: String? { proxy.breakdown }

    func send(
        _ request: SubjectRequest,
        completion: @escaping @Sendable (CallerObservation) -> Void
    ) -> any SubjectExchange {
        let arrivals = access.arrivalsFromNow()
        let flight = overlap.begin()
        var call = WireRequest(request)
        (call.isTimed, call.permits) = (needs.isTimed, access.permits)
        if !needs.seesMessages { call.hangsAfter = Self.busyTimeout }
        Task(executorPreference: proxy.caller.executor) { [proxy, needs, overlap, call] in
            let reply = await proxy.send(call, within: request.timeout ?? Self.timeout)
            var seen = CallerObservation(reply)
            seen.age = CacheFields.age(in: seen.fields)
            seen.cacheStatus = CacheFields.lastStatus(in: seen.fields)
            overlap.end(flight, &seen, arrivals)
            if !needs.seesMessages {
                // These fields are about the connection to the caller and were never part of a stored response.
                seen.fields.removeAll { Self.ofConnection.contains($0.name.lowercased()) }
                seen.decode()
            }
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
        finishBackgroundWork(until: clock.elapsed + Self.timeout, completion)
    }

    /// Waits until the origin has no open exchanges: a proxy does not report the end of its work, and most are done
    /// shortly after the origin has responded.
    private func finishBackgroundWork(
        until deadline: Duration,
        _ completion: @escaping @Sendable () -> Void
    ) {
        let timer = clock.schedule(after: Self.pause) { [weak self] in
            guard let self, access.origin.hasOpenExchanges, clock.elapsed < deadline else {
                return completion()
            }
            finishBackgroundWork(until: deadline, completion)
        }
        overlap.keep(timer)
    }

    private static let pause = Duration.seconds(1)

    func usage(lookingFor texts: [String]) throws(SubjectError) -> UsageObservation { throw .noStore }

    func close() { onClose() }
}

extension WireRequest {
    /// Creates the request of a step.
    fileprivate init(_ request: SubjectRequest) {
        self.init(
            method: request.method,
            url: request.url,
            fields: request.fields,
            body: request.body,
            followsRedirects: request.followsRedirects,
            isConcurrent: request.isConcurrent
        )
    }
}

extension CallerObservation {
    /// Creates an observation from a response that came over the network.
    fileprivate init(_ reply: SuiteReply) {
        self.init()
        switch reply {
        case .response(let response):
            status = response.status
            fields = response.fields
            interim = response.interim.map { ($0.status, $0.fields) }
            body = response.body
        case .timedOut: error = (TransportError.Kind.timedOut.rawValue, "No response arrived in time.")
        case .failed(let reason): error = (TransportError.Kind.unknown.rawValue, reason)
        }
    }

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
