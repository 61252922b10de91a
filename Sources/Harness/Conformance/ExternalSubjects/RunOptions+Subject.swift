import CacheSemantics
import Clocks

extension RunOptions.Subject {
    /// The kind of cache that the subject is by default; `nil` if it can be run as either.
    var usualKind: CacheKind? {
        switch self {
        case .builtin: nil
        case .proxy, .forwardProxy, .known: .shared
        case .driver(let driver): driver.hello.kind ?? .private
        case .inProcess(let subject): subject.kind
        }
    }

    /// Whether the subject is a client that requests from the origin itself, as a browser does.
    var isClient: Bool { !isProxy }

    /// Whether the subject is one proxy, which all scenarios share.
    var isProxy: Bool {
        switch self {
        case .builtin, .driver, .inProcess: false
        case .proxy, .forwardProxy, .known: true
        }
    }

    /// Whether the subject runs in this process.
    var isInProcess: Bool {
        switch self {
        case .builtin, .inProcess: true
        case .proxy, .forwardProxy, .known, .driver: false
        }
    }

    /// Returns the default number of jobs: concurrent scenarios, processes of a driver, or requests to a proxy.
    public func defaultJobs(cores: Int) -> Int {
        switch self {
        case .builtin: cores
        // Delays of the origin and background work take real time, in which the cores are idle.
        case .inProcess: 8 * cores
        // Scenarios share the driver's processes, except with a clock that is moved.
        case .driver(let driver): driver.hello.capabilities.contains(.advance) ? max(2, cores) : 2
        case .proxy, .forwardProxy, .known: 32
        }
    }

    /// Returns the subject's name in reports, with its version if that is known.
    public func title(version: String) -> String {
        switch self {
        case .builtin: "built-in client \(version)"
        case .proxy(let url): "proxy \(url)"
        case .forwardProxy(let url): "forward proxy \(url)"
        case .known(let proxy): proxy.title
        case .driver(let driver): "\(driver.hello.name) \(driver.hello.version)"
        case .inProcess(let subject): subject.name
        }
    }
}

extension RunOptions {
    /// Starts the subject; its origin listens on a port of this machine, with TLS by these certificates.
    func startSubject(
        originPort: Int,
        _ certificates: OriginCertificates,
        clock: SystemClock
    ) throws(SubjectError) -> any SubjectHost {
        switch subject {
        case .builtin: try BuiltinHost(self, certificates)
        case .proxy(let url): try SharedProxySubject(url, isForward: false, jobs: jobs, clock: clock)
        case .forwardProxy(let url): try SharedProxySubject(url, isForward: true, jobs: jobs, clock: clock)
        case .known(let proxy):
            try SharedProxySubject(
                proxy,
                originPort: originPort,
                jobs: jobs,
                advancesClock: time == .virtual,
                clock: clock
            )
        case .driver(let driver):
            try DriverPool(driver, size: jobs, launch: launch(of: driver), clock: clock)
        case .inProcess(let subject):
            try InProcessSubjectHost(subject, advancesClock: time != .real, clock: clock)
        }
    }

    /// Returns the way in which time passes for a driver; one whose cache has a movable clock needs no other clock.
    private func launch(of driver: Driver) -> DriverLaunch {
        if time != .real, driver.hello.capabilities.contains(.advance) { return .advancing }
        return time == .virtual ? .underFakeTime : .plain
    }
}
