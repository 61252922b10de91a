import CacheClient
import Clocks
import Locks
import MockOrigin
import Scenarios

/// A proxy that serves all scenarios of a run.
final class SharedProxySubject: SubjectHost {
    let abilities: SubjectAbilities
    let timeout = Duration.zero
    private let access: ProxyAccess
    private let url: String
    private let isForward: Bool
    private let program: ProxyProgram?
    private let clock: SystemClock
    private let offsetClock: OffsetClock?
    private let fakeTime: FakeTime?
    /// Whether a scenario is using the proxy's clock, of which there is only one.
    private let isTaken = Lock(false)
    private let signal = Signal()

    /// Creates a subject for a proxy that is already running.
    init(_ url: String, isForward: Bool, jobs: Int, clock: SystemClock) throws(SubjectError) {
        (self.url, self.isForward, self.clock) = (url, isForward, clock)
        (program, offsetClock, fakeTime) = (nil, nil, nil)
        abilities = SubjectAbilities()
        access = ProxyAccess(url, isForward: isForward, caller: try .connecting(jobs, clock))
    }

    /// Starts a proxy, with its own clock if `advancesClock`.
    init(
        _ proxy: KnownProxy,
        originPort: Int,
        jobs: Int,
        advancesClock: Bool,
        clock: SystemClock
    ) throws(SubjectError) {
        fakeTime = advancesClock ? try FakeTime() : nil
        offsetClock = advancesClock ? OffsetClock(clock) : nil
        let program = try ProxyProgram(proxy, originPort: originPort, prefix: fakeTime?.prefix ?? [])
        (url, isForward) = (program.url, false)
        (self.program, self.clock) = (program, clock)
        var abilities = SubjectAbilities()
        abilities.advancesClock = advancesClock
        abilities.failsByConfiguration = proxy.failsByConfiguration
        self.abilities = abilities
        let caller = try WireCaller.connecting(jobs, clock)
        access = ProxyAccess(program.url, isForward: false, caller: caller, process: program.process)
    }

    func prepare(_ needs: SubjectNeeds) throws(SubjectError) -> PreparedSubject {
        if let reason = access.breakdown { throw SubjectError(reason) }
        let time: any TimeSource = offsetClock ?? clock
        if offsetClock != nil { take() }
        var prepared = PreparedSubject(clock: time) { [self] in open(needs, $0) }
        if let offsetClock, let fakeTime {
            prepared.advance = { (duration: Duration) throws(SubjectError) in
                offsetClock.advance(by: duration)
                try fakeTime.advance(by: duration)
            }
        }
        return prepared
    }

    private func open(_ needs: SubjectNeeds, _ origin: OriginAccess) -> OpenSubject {
        let subject = ProxySubject(access, clock: clock, needs: needs, at: origin) { [self] in
            if offsetClock != nil { leave() }
        }
        return OpenSubject(subject: subject, authority: isForward ? nil : url)
    }

    private func take() {
        while true {
            let seen = signal.count
            let isMine = isTaken.withLock { isTaken in
                defer { isTaken = true }
                return !isTaken
            }
            if isMine { return }
            _ = signal.wait(after: seen)
        }
    }

    private func leave() {
        isTaken.withLock { $0 = false }
        signal.raise()
    }

    func close() { program?.end() }
}

extension WireCaller {
    /// Returns a caller with at most `limit` concurrent requests.
    static func connecting(_ limit: Int, _ clock: SystemClock) throws(SubjectError) -> WireCaller {
        do throws(TransportError) {
            return try WireCaller(limit: limit, clock: clock)
        } catch {
            throw SubjectError("the caller cannot be started: \(error)")
        }
    }
}
