import Clocks
import HTTPServing
import Locks
import OriginScript

/// Dispatches each request to its namespace, or to the site.
final class OriginHandler: RequestHandler {
    let contents: ContentStore
    /// The site outside namespaces.
    let stage: SiteStage
    /// How many namespaces have faults of requests that are being read.
    private let pacing = Lock(0)
    /// The namespace that connections belong to before a request is read; `nil` is none.
    private let gate = Lock<OriginNamespace?>(nil)
    private let follower = Lock<SiteFollower?>(nil)
    private let namespaces = Lock<[String: OriginNamespace]>([:])
    private let stages = Lock<[String: SiteStage]>([:])

    init(_ configuration: MockServer.Configuration, clock: any TimeSource) {
        contents = ContentStore(folder: configuration.fixtureFolder)
        stage = SiteStage(
            configuration.site,
            injector: FaultInjector(
                configuration.faults,
                configuration.network,
                clock: clock,
                mostDecisions: SiteStage.mostDecisions,
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

    func add(_ token: String, _ namespace: OriginNamespace) {
        namespaces.withLock { $0[token] = namespace }
        if namespace.pacesRequests { pacing.withLock { $0 += 1 } }
        if namespace.harmsConnections { gate.withLock { $0 = namespace } }
    }

    func remove(_ token: String) {
        let namespace = namespaces.withLock { $0.removeValue(forKey: token) }
        guard let namespace else { return }
        if namespace.pacesRequests { pacing.withLock { $0 -= 1 } }
        gate.withLock { gate in
            if gate === namespace { gate = nil }
        }
    }

    /// The stage of a run; `nil` where there is none of that name.
    func stage(named name: String) -> SiteStage? { stages.withLock { $0[name] } }

    /// Opens a stage unless one or a namespace of that name is open.
    func open(_ name: String, _ stage: SiteStage) -> Bool {
        guard namespaces.withLock({ $0[name] == nil }) else { return false }
        return stages.withLock { stages in
            guard stages[name] == nil else { return false }
            stages[name] = stage
            return true
        }
    }

    /// Closes a stage and releases its held responses.
    func close(stage name: String) {
        stages.withLock { $0.removeValue(forKey: name) }?.injector.stop()
    }

    // MARK: Before a request is read

    func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting {
        if let namespace = gate.withLock({ $0 }) { return namespace.greeting(isTLS: isTLS) }
        return stage.injector.greeting(isTLS: isTLS)
    }

    var pacesRequests: Bool {
        if stage.injector.harmsReading || pacing.withLock({ $0 > 0 }) { return true }
        return stages.withLock { $0.values.contains(where: \.injector.harmsReading) }
    }

    func reading(of request: ServedRequest) -> RequestReading? {
        guard let token = Self.token(request.target) else { return stage.reading(of: request) }
        if let namespace = namespaces.withLock({ $0[token] }) { return namespace.reading(of: request) }
        return stage(named: token)?.reading(of: request)
    }

    // MARK: Answering

    /// While scenarios are open, new connections are theirs, and nothing is prepared for them.
    var preparesResponses: Bool { !stage.injector.isActive && namespaces.withLock { $0.isEmpty } }

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
        for stage in [stage] + stages.withLock({ Array($0.values) }) {
            stage.journal.wereCut(connection: connection, after: whole)
        }
    }

    func reply(to request: ServedRequest) -> RawReply {
        guard let token = Self.token(request.target) else {
            follower.withLock { $0 }?.checkNow()
            return stage.reply(to: request)
        }
        if let namespace = namespaces.withLock({ $0[token] }) { return namespace.reply(to: request) }
        if let stage = stage(named: token) { return stage.reply(to: request) }
        return stage.reply(.plain(status: 404, "No scenario is open under \(token)."), to: request)
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
