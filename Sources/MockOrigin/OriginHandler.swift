import Clocks
import HTTPServing
import Locks
import OriginScript

/// Sends each request to its namespace, or to the pages.
final class OriginHandler: RequestHandler {
    let contents: ContentStore
    let journal: Journal
    private let clock: any TimeSource
    private let startedAt: HTTPMoment
    private let site: SiteHost
    private let prepared: PreparedPages
    private let pageFaults: PageFaults
    /// How many namespaces have faults of requests that are being read.
    private let pacing = Lock(0)
    /// The namespace that connections belong to before a request is read; `nil` is none.
    private let gate = Lock<OriginNamespace?>(nil)
    private let follower = Lock<SiteFollower?>(nil)
    private let namespaces = Lock<[String: OriginNamespace]>([:])

    init(_ configuration: MockServer.Configuration, clock: any TimeSource) {
        self.clock = clock
        contents = ContentStore(folder: configuration.fixtureFolder)
        journal = Journal(size: configuration.journalSize)
        startedAt = HTTPMoment(wallSeconds: clock.wallSeconds)
        pageFaults = PageFaults(configuration, clock: clock)
        site = SiteHost(configuration.site, contents, clock)
        prepared = PreparedPages(DemoSite.preparedAnswers, contents)
        restrict(to: configuration.site)
    }

    /// Serves another site from now on.
    func replace(_ new: Site) {
        site.replace(new)
        restrict(to: new)
    }

    /// Asks somebody, before each request is answered, whether the site has changed.
    func follow(_ new: SiteFollower?) {
        let old = follower.withLock { follower in
            defer { follower = new }
            return follower
        }
        old?.stop()
    }

    private func restrict(to new: Site) {
        prepared.restrict(to: SiteHost.untouched(by: new, prepared.allTargets, contents))
    }

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

    func greeting(ofConnection number: UInt64, isTLS: Bool) -> Greeting {
        if let namespace = gate.withLock({ $0 }) { return namespace.greeting(isTLS: isTLS) }
        return pageFaults.greeting(isTLS: isTLS, clock: clock)
    }

    var pacesRequests: Bool { pageFaults.harmsReading || pacing.withLock { $0 > 0 } }

    func reading(of request: ServedRequest) -> RequestReading? {
        if let token = Self.token(request.target) {
            return namespaces.withLock { $0[token] }?.reading(of: request)
        }
        return pageFaults.reading(of: request, clock: clock)
    }

    func preparedResponse(for head: RequestHead) -> PreparedResponse? {
        // What libmicrohttpd sends by itself, nothing can happen to.
        guard !pageFaults.isActive, head.isHTTP11, head.method.elementsEqual(Self.get),
            let page = prepared.place(of: head.target)
        else {
            return nil
        }
        let wallSeconds = clock.wallSeconds
        guard let response = prepared.response(page, at: wallSeconds) else { return nil }
        journal.note(head, at: wallSeconds)
        return response
    }

    func reply(to request: ServedRequest) -> RawReply {
        guard let token = Self.token(request.target) else { return page(request) }
        if let namespace = namespaces.withLock({ $0[token] }) { return namespace.reply(to: request) }
        return reply(.plain(status: 404, "No scenario is open under \(token)."), to: request)
    }

    func refusal(of request: ServedRequest, for problem: RequestProblem) -> RawReply {
        var reply = reply(.plain(status: problem.status, problem.explanation), to: request, isLast: true)
        reply.ending = .drainAndClose
        return reply
    }

    private func page(_ request: ServedRequest) -> RawReply {
        // Reading the journal is not written to it, or it would push out what one wants to see.
        if TargetParts(request.target).path == DemoSite.journalPath {
            return render(site.pages.journal(request, journal.entries()), request, observer: nil)
        }
        follower.withLock { $0 }?.checkNow()
        let found = site.find(request)
        return reply(found?.answer ?? site.pages.answer(request), to: request, found)
    }

    private func reply(
        _ answer: Answer,
        to request: ServedRequest,
        _ found: SiteHost.Found? = nil,
        isLast: Bool = false
    ) -> RawReply {
        let number = journal.note(request, at: clock.wallSeconds, route: found?.label)
        let observer = JournalObserver(journal: journal, number: number)
        return render(answer, request, found, observer: observer, isLast: isLast)
    }

    private func render(
        _ answer: Answer,
        _ request: ServedRequest,
        _ found: SiteHost.Found? = nil,
        observer: JournalObserver?,
        isLast: Bool = false
    ) -> RawReply {
        var request = request
        if isLast { request.fields.append(ServedField(FieldName.connection, "close")) }
        let now = HTTPMoment(wallSeconds: clock.wallSeconds)
        let context = AnswerContext(
            request: request,
            now: now,
            startedAt: found?.startedAt ?? startedAt,
            count: found?.count ?? 1,
            elapsedSeconds: found?.elapsedSeconds ?? 0,
            parameters: found?.parameters ?? [:]
        )
        // Reading the journal stays possible whatever goes wrong.
        let strikes = observer == nil ? [] : pageFaults.strikes(request, answer, found, clock.elapsed)
        let reply = OriginReply.compose(answer, context, contents, faults: strikes)
        observer?.answered(reply.finalStatus)
        let raw = RawReply(reply.rendered(), ending: reply.ending, clock: clock, observer: observer)
        return observer == nil ? raw : pageFaults.shaped(raw, to: request)
    }

    /// Returns the token of a target below `/-/`.
    private static func token(_ target: String) -> String? {
        let path = TargetParts(target).path
        guard path.hasPrefix("/-/") else { return nil }
        return String(path.dropFirst(3).prefix { $0 != "/" })
    }

    private static let get = Array("GET".utf8)
}
