import Clocks
import HTTPServing
import Locks
import OriginScript

/// Dispatches each request to its namespace, to the tests of the public suite, or to the site.
final class OriginHandler: RequestHandler {
    let contents: ContentStore
    /// The namespace of all that is outside other namespaces.
    let site: OriginNamespace
    /// The tests of the public suite.
    let suite: SuiteTests
    /// Whether requests outside namespaces are the suite's, and not the site's.
    private let servesSuite: Bool
    private let follower = Lock<SiteFollower?>(nil)
    private let mounts = Lock(MountTable())

    init(_ configuration: MockServer.Configuration, clock: any TimeSource) {
        contents = ContentStore(folder: configuration.fixtureFolder)
        let injector = FaultInjector(
            configuration.faults,
            configuration.network,
            clock: clock,
            maximumDecisions: FaultInjector.maximumServerDecisions,
            onDecision: configuration.onDecision
        )
        var setup = OriginNamespace.Setup(injector: injector, contents: contents)
        (setup.site, setup.journalSize) = (configuration.site, configuration.journalSize)
        setup.pages = configuration.pageMatching
        setup.passer = configuration.passer
        site = OriginNamespace(setup)
        servesSuite = configuration.suite != nil
        suite = SuiteTests(dialect: configuration.suite ?? .compatible, contents: contents, clock: clock)
    }

    /// Sets the follower that checks for changes of the site before each response.
    func follow(_ new: SiteFollower?) {
        let old = follower.withLock { follower in
            defer { follower = new }
            return follower
        }
        old?.stop()
    }

    // MARK: Namespaces

    /// Mounts the namespace of a scenario, in place of an earlier one of the same token.
    func add(_ token: String, _ namespace: OriginNamespace) {
        // Before the lock of the table, because it takes others.
        let isGate = namespace.injector.harmsConnections
        mounts.withLock { $0.add(token, namespace, isGate: isGate) }?.injector.stop()
    }

    /// Unmounts the namespace of a scenario, unless another has its token by now.
    func remove(_ token: String, _ namespace: OriginNamespace) {
        mounts.withLock { $0.remove(token, namespace) }
    }

    /// Returns the namespace of a run; `nil` if there is none of that name.
    func run(_ name: String) -> OriginNamespace? { mounts.withLock { $0.run(name) } }

    /// Mounts the namespace of a run; false if the name is in use.
    func openRun(_ name: String, _ namespace: OriginNamespace) -> Bool {
        mounts.withLock { $0.openRun(name, namespace) }
    }

    /// Unmounts the namespace of a run, releases its held responses, and ends what its script still delays.
    func closeRun(_ name: String) {
        guard let namespace = mounts.withLock({ $0.closeRun(name) }) else { return }
        namespace.injector.stop()
        namespace.endDelays()
    }

    // MARK: Before a request is read

    func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting {
        (mounts.withLock { $0.gate } ?? site).greeting(isTLS: isTLS)
    }

    func reading(of request: ServedRequest) -> RequestReading? {
        (mounted(request.target) ?? site).reading(of: request)
    }

    // MARK: Answering

    func preparedResponse(for head: RequestHead) -> PreparedResponse? {
        guard !servesSuite, head.isHTTP11, head.method.elementsEqual(Self.get) else { return nil }
        if head.target.starts(with: Self.below) {
            return Self.token(String(decoding: head.target, as: UTF8.self)).flatMap(run)?
                .preparedResponse(for: head)
        }
        follower.withLock { $0 }?.checkNow()
        return site.preparedResponse(for: head)
    }

    func preparedWasCut(connection: UInt64, after whole: Int) {
        // A connection may have responses of several namespaces.
        for namespace in [site] + mounts.withLock({ $0.runs }) {
            namespace.journal.wereCut(connection: connection, after: whole)
        }
    }

    func reply(to request: ServedRequest) -> RawReply {
        if let namespace = mounted(request.target) { return namespace.reply(to: request) }
        if servesSuite { return suite.reply(to: request) }
        follower.withLock { $0 }?.checkNow()
        return site.reply(to: request)
    }

    /// Returns the namespace below whose base a target is; `nil` if it is one of the site, which may have paths below `/-/`.
    private func mounted(_ target: String) -> OriginNamespace? {
        guard let token = Self.token(target) else { return nil }
        return mounts.withLock { $0[token] }
    }

    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
        if servesSuite { return suite.refusal(of: request, for: problem) }
        var request = request
        request.endsConnection = true
        var reply = site.reply(.plain(status: problem.status, problem.explanation), to: request)
        reply.ending = .drainAndClose
        return reply
    }

    /// Returns the token of a target below `/-/`.
    private static func token(_ target: String) -> String? {
        let path = TargetParts(target).path
        guard path.utf8.starts(with: below) else { return nil }
        return String(path.utf8.dropFirst(below.count).prefix { $0 != 0x2F })
    }

    private static let get = Array("GET".utf8)
    private static let below = Array("/-/".utf8)
}
