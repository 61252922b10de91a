import Clocks
import HTTPServing
import Locks
import OriginScript

/// Dispatches each request to its namespace, or to the site.
final class OriginHandler: RequestHandler {
    let contents: ContentStore
    /// The site outside namespaces.
    let stage: SiteInstance
    private let follower = Lock<SiteFollower?>(nil)
    private let mounts = Lock(MountTable())

    init(_ configuration: MockServer.Configuration, clock: any TimeSource) {
        contents = ContentStore(folder: configuration.fixtureFolder)
        stage = SiteInstance(
            configuration.site,
            injector: FaultInjector(
                configuration.faults,
                configuration.network,
                clock: clock,
                mostDecisions: SiteInstance.mostDecisions,
                onDecision: configuration.onDecision
            ),
            journalSize: configuration.journalSize,
            contents: contents,
            clock: clock
        )
    }

    var journal: Journal { stage.journal }

    /// Replaces the site.
    func replace(_ new: Site) {
        stage.replace(new)
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
        mounts.withLock { $0.add(token, namespace) }?.injector.stop()
    }

    /// Unmounts the namespace of a scenario, unless another has its token by now.
    func remove(_ token: String, _ namespace: OriginNamespace) {
        mounts.withLock { $0.remove(token, namespace) }
    }

    /// Returns the stage of a run; `nil` if there is none with the name.
    func stage(named name: String) -> SiteInstance? {
        if case .run(let stage) = mounts.withLock({ $0[name] }) { stage } else { nil }
    }

    /// Mounts the stage of a run; false if the name is in use.
    func open(_ name: String, _ stage: SiteInstance) -> Bool {
        mounts.withLock { $0.open(name, stage) }
    }

    /// Unmounts a stage and releases its held responses.
    func close(stage name: String) {
        mounts.withLock { $0.close(name) }?.injector.stop()
    }

    // MARK: Before a request is read

    func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting {
        if let namespace = mounts.withLock({ $0.gate }) { return namespace.greeting(isTLS: isTLS) }
        return stage.injector.greeting(isTLS: isTLS)
    }

    var pacesRequests: Bool {
        stage.injector.harmsReading || mounts.withLock { $0.pacesRequests }
    }

    func reading(of request: ServedRequest) -> RequestReading? {
        guard let token = Self.token(request.target) else { return stage.reading(of: request) }
        switch mounts.withLock({ $0[token] }) {
        case .scenario(let namespace): return namespace.reading(of: request)
        case .run(let stage): return stage.reading(of: request)
        case nil: return nil
        }
    }

    // MARK: Answering

    /// False while scenarios are open: new connections are theirs, and they have no prepared responses.
    var preparesResponses: Bool { !stage.injector.isActive && !mounts.withLock { $0.hasScenarios } }

    func preparedResponse(for head: RequestHead) -> PreparedResponse? {
        guard head.isHTTP11, head.method.elementsEqual(Self.get) else { return nil }
        if head.target.starts(with: Self.below) {
            return Self.token(String(decoding: head.target, as: UTF8.self)).flatMap { stage(named: $0) }?
                .preparedResponse(for: head)
        }
        follower.withLock { $0 }?.checkNow()
        return stage.preparedResponse(for: head)
    }

    func preparedWasCut(connection: UInt64, after whole: Int) {
        // A connection may have responses of several stages.
        for stage in [stage] + mounts.withLock({ $0.stages }) {
            stage.journal.wereCut(connection: connection, after: whole)
        }
    }

    func reply(to request: ServedRequest) -> RawReply {
        guard let token = Self.token(request.target) else {
            follower.withLock { $0 }?.checkNow()
            return stage.reply(to: request)
        }
        switch mounts.withLock({ $0[token] }) {
        case .scenario(let namespace): return namespace.reply(to: request)
        case .run(let stage): return stage.reply(to: request)
        case nil:
            return stage.reply(.plain(status: 404, "No scenario is open under \(token)."), to: request)
        }
    }

    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
        var reply = stage.reply(
            .plain(status: problem.status, problem.explanation),
            to: request,
            isLast: true
        )
        reply.ending = .drainAndClose
        return reply
    }

    /// Returns the token of a target below `/-/`.
    private static func token(_ target: String) -> String? {
        let path = TargetParts(target).path
        guard path.hasPrefix("/-/") else { return nil }
        return String(path.dropFirst(3).prefix { $0 != "/" })
    }

    private static let get = Array("GET".utf8)
    private static let below = Array("/-/".utf8)
}
