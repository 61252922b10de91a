import CacheClient
import Clocks
import Scenarios

/// A proxy that serves all scenarios of a run.
final class ProxyHouse: OutsideSubject {
    let abilities = SubjectAbilities()
    private let access: ProxyAddress
    private let url: String
    private let isForward: Bool
    private let program: ProxyProgram?
    private let clock: SystemClock

    /// A proxy that somebody else has started.
    init(_ url: String, isForward: Bool, jobs: Int, clock: SystemClock) throws(SubjectError) {
        (self.url, self.isForward, self.clock) = (url, isForward, clock)
        program = nil
        access = ProxyAddress(url, isForward: isForward, caller: try .connecting(jobs, clock))
    }

    /// A proxy that we start.
    init(_ proxy: KnownProxy, originPort: UInt16, jobs: Int, clock: SystemClock) throws(SubjectError) {
        let program = try ProxyProgram(proxy, originPort: originPort)
        (url, isForward) = (program.url, false)
        (self.program, self.clock) = (program, clock)
        access = ProxyAddress(
            program.url,
            isForward: false,
            caller: try .connecting(jobs, clock),
            process: program.process
        )
    }

    func open(_ scenario: Scenario, at origin: NamespaceOrigin) throws(SubjectError) -> OpenSubject {
        if let reason = access.breakdown { throw SubjectError(reason) }
        let reached: any StageOrigin = isForward ? origin : ProxiedOrigin(origin, proxy: url)
        let subject = ProxySubject(
            access,
            clock: clock,
            origin: reached,
            followsRedirects: scenario.client.followsRedirects
        )
        return OpenSubject(subject: subject, origin: reached, clock: clock)
    }

    func openSeat() throws(SubjectError) -> any SuiteSeat {
        if let reason = access.breakdown { throw SubjectError(reason) }
        return ProxySeat(proxy: access, url: isForward ? nil : url)
    }

    func close() { program?.end() }
}

extension WireCaller {
    /// A caller with so many requests at a time.
    static func connecting(_ limit: Int, _ clock: SystemClock) throws(SubjectError) -> WireCaller {
        do throws(TransportError) {
            return try WireCaller(limit: limit, clock: clock)
        } catch {
            throw SubjectError("the caller cannot be started: \(error)")
        }
    }
}
