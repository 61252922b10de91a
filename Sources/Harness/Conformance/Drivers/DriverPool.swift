import CacheSemantics
import Clocks
import Locks
import OriginScript
import Scenarios

/// The processes of a driver.
///
/// Scenarios share a process if they cannot disturb each other, because every scenario has its own URLs; so their waits
/// overlap. A scenario that empties, restarts or inspects the store has a separate process, and so has every scenario
/// if the clock is moved.
final class DriverPool: SubjectHost {
    /// The time limit of a reply; a driver that exceeds it is abandoned.
    static let replyTimeout = Duration.seconds(20)
    /// The number of scenarios that share a process that is parallel, and one that is not.
    ///
    /// A request that waits for its turn in a process is late, which ages show.
    private static let (shareLimit, queueLimit) = (24, 4)
    /// The number of times that failed drivers are restarted.
    private static let restartLimit = 3
    private struct SharedProcess {
        var link: DriverLink
        var users = 0
    }
    private struct State {
        var shared: [SharedProcess] = []
        var free: [DriverLink] = []
        /// The number of shared processes that are being started.
        var startingCount = 0
        var exclusiveCount = 0
        var failures = 0

        /// Removes the shared processes that have failed, and counts them.
        mutating func removeFailed() -> [DriverLink] {
            let lost = shared.filter { $0.link.breakdown != nil }.map(\.link)
            shared.removeAll { $0.link.breakdown != nil }
            failures += lost.count
            return lost
        }
    }
    private let driver: Driver
    private let size: Int
    private let launch: DriverLaunch
    private let clock: SystemClock
    private let state = Lock(State())
    private let signal = Signal()
    let abilities: SubjectAbilities

    /// Starts the first process; there are at most twice `size` processes.
    init(_ driver: Driver, size: Int, launch: DriverLaunch, clock: SystemClock) throws(SubjectError) {
        self.driver = driver
        self.size = max(1, size)
        self.launch = launch
        self.clock = clock
        abilities = SubjectAbilities(driver.hello, advancesClock: launch != .plain)
        let first = try start()
        state.withLock { $0.shared = [SharedProcess(link: first)] }
    }

    /// A request waits for those before it if the driver takes one at a time.
    var timeout: Duration { abilities.isParallel ? .zero : .seconds(300) }

    func prepare(_ needs: SubjectNeeds) throws(SubjectError) -> PreparedSubject {
        if abilities.advancesClock || needs.needsOwnStore || !abilities.isParallel && needs.isDelayed {
            return try prepareAlone()
        }
        let link = try share()
        return PreparedSubject(clock: clock) { [self] access in
            OpenSubject(subject: subject(link, access, clock) { [self] in leave(link) })
        }
    }

    func close() {
        let links = state.withLock { state in
            defer { state = State() }
            return state.shared.map(\.link) + state.free
        }
        for link in links { link.close() }
    }

    private func subject(
        _ link: DriverLink,
        _ access: OriginAccess,
        _ clock: any TimeSource,
        onClose: @escaping @Sendable () -> Void
    ) -> DriverSubject {
        DriverSubject(link: link, hello: driver.hello, at: access, wallClock: clock, onClose: onClose)
    }

    private func start() throws(SubjectError) -> DriverLink {
        let link = try DriverLink(
            driver.command,
            isParallel: abilities.isParallel,
            fakeTime: launch == .underFakeTime ? try FakeTime() : nil,
            clock: clock
        )
        _ = try link.ask(.hello, within: Self.replyTimeout * 3)
        try link.reset(at: clock.wallSeconds)
        return link
    }

    // MARK: A process with others

    private enum Share {
        case link(DriverLink)
        case start
        case wait
        case hopeless
    }

    private func share() throws(SubjectError) -> DriverLink {
        while true {
            let seen = signal.count
            let (lost, share) = state.withLock { ($0.removeFailed(), take(&$0)) }
            for link in lost { link.close() }
            switch share {
            case .link(let link): return link
            case .start: return try startShared()
            case .wait: _ = signal.wait(after: seen)
            case .hopeless: throw SubjectError(lost.last?.breakdown ?? "the driver has failed too often")
            }
        }
    }

    /// Returns the next action of one scenario; processes that are being started count, so there are never more than
    /// `size`.
    private func take(_ state: inout State) -> Share {
        let isFull = state.shared.count + state.startingCount >= size
        let most = abilities.isParallel ? Self.shareLimit : Self.queueLimit
        let index = state.shared.indices.min { state.shared[$0].users < state.shared[$1].users }
        if let index, isFull && state.shared[index].users < most || state.shared[index].users == 0 {
            state.shared[index].users += 1
            return .link(state.shared[index].link)
        }
        if state.failures > Self.restartLimit { return .hopeless }
        if isFull { return .wait }
        state.startingCount += 1
        return .start
    }

    private func startShared() throws(SubjectError) -> DriverLink {
        let link = Result { () throws(SubjectError) in try start() }
        state.withLock { state in
            state.startingCount -= 1
            switch link {
            case .success(let link): state.shared.append(SharedProcess(link: link, users: 1))
            case .failure: state.failures += 1
            }
        }
        signal.raise()
        return try link.get()
    }

    private func leave(_ link: DriverLink) {
        state.withLock { state in
            for index in state.shared.indices where state.shared[index].link === link {
                state.shared[index].users -= 1
            }
        }
        signal.raise()
    }

    // MARK: A process alone

    private func prepareAlone() throws(SubjectError) -> PreparedSubject {
        let link = try take()
        let offsetClock = abilities.advancesClock ? OffsetClock(clock) : nil
        do throws(SubjectError) {
            try link.fakeTime?.reset()
            try link.reset(at: clock.wallSeconds)
        } catch {
            recycle(link)
            throw error
        }
        let time: any TimeSource = offsetClock ?? clock
        var prepared = PreparedSubject(clock: time) { [self] access in
            OpenSubject(subject: subject(link, access, time) { [self] in recycle(link) })
        }
        if let offsetClock {
            prepared.advance = { (duration: Duration) throws(SubjectError) in
                offsetClock.advance(by: duration)
                if let fakeTime = link.fakeTime { return try fakeTime.advance(by: duration) }
                _ = try link.ask(.advance(duration), within: Self.replyTimeout).orThrow()
            }
        }
        return prepared
    }

    private func take() throws(SubjectError) -> DriverLink {
        while true {
            let seen = signal.count
            let (link, mayStart, isHopeless) = state.withLock { state in
                if state.failures > Self.restartLimit { return (DriverLink?.none, false, true) }
                if let link = state.free.popLast() { return (link, false, false) }
                if state.exclusiveCount >= size { return (nil, false, false) }
                state.exclusiveCount += 1
                return (nil, true, false)
            }
            if let link { return link }
            if isHopeless { throw SubjectError("the driver has failed too often") }
            if mayStart { return try startAlone() }
            _ = signal.wait(after: seen)
        }
    }

    private func startAlone() throws(SubjectError) -> DriverLink {
        do throws(SubjectError) {
            return try start()
        } catch {
            state.withLock { state in
                state.exclusiveCount -= 1
                state.failures += 1
            }
            signal.raise()
            throw error
        }
    }

    private func recycle(_ link: DriverLink) {
        let isLost = link.breakdown != nil
        state.withLock { state in
            if isLost {
                state.exclusiveCount -= 1
                state.failures += 1
            } else {
                state.free.append(link)
            }
        }
        if isLost { link.close() }
        signal.raise()
    }
}

/// A way in which time passes for a driver's processes.
enum DriverLaunch: Sendable {
    /// As on the machine.
    case plain
    /// Moved by the driver itself.
    case advancing
    /// Moved for the process, which runs under libfaketime.
    case underFakeTime
}

extension DriverLink {
    /// Empties the cache and sets its clock, if it has one.
    func reset(at wallSeconds: Double) throws(SubjectError) {
        _ = try ask(.reset(wallSeconds: wallSeconds), within: DriverPool.replyTimeout).orThrow()
    }
}

extension DriverReply {
    /// Returns the reply, or throws its error.
    func orThrow() throws(SubjectError) -> DriverReply {
        guard let failure else { return self }
        throw SubjectError("the driver reported: \(failure.text)")
    }
}

extension SubjectAbilities {
    /// Creates the abilities of a driver.
    init(_ hello: DriverCapabilities, advancesClock: Bool) {
        self.init()
        isClient = true
        hasCache = hello.kind != nil
        isParallel = hello.capabilities.contains(.parallel)
        restarts = hello.capabilities.contains(.restart)
        clears = true
        dumps = hello.capabilities.contains(.dump)
        obeysPolicies = hello.capabilities.contains(.policy)
        obeysTimeouts = hello.capabilities.contains(.timeout)
        leavesRedirects = hello.capabilities.contains(.redirects)
        reportsErrors = hello.capabilities.contains(.errors)
        self.advancesClock = advancesClock
        refuses = hello.refuses
    }
}
