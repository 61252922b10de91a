import Clocks
import ControlServing
import HTTPServing
import JSON
import Locks
import OriginScript

/// A site with its own clock, journal and faults: that of the whole server, or of one run.
final class SiteInstance: Sendable {
    /// The path below which it answers, without a trailing slash; empty for the whole server.
    let base: String
    let clock: any TimeSource
    let journal: Journal
    /// Events that are not exchanges.
    let notices = ControlEvents()
    /// Faults and the network.
    let injector: FaultInjector
    let contents: ContentStore
    let host: SiteHost
    /// The prepared responses.
    let prepared = PreparedTable()
    /// The number of fault decisions kept: a server may run for days.
    static let mostDecisions = 1000
    private let startedAt: HTTPMoment

    init(
        base: String = "",
        _ site: Site,
        injector: FaultInjector,
        journalSize: Int,
        contents: ContentStore,
        clock: any TimeSource
    ) {
        self.base = base
        self.clock = clock
        self.contents = contents
        journal = Journal(size: journalSize)
        startedAt = HTTPMoment(wallSeconds: clock.wallSeconds)
        self.injector = injector
        host = SiteHost(site, contents, clock)
    }

    // MARK: Changes

    var progress: (site: Site, counts: [Int], states: [String: String]) { host.progress }

    /// Replaces the site; every route starts from the beginning.
    func replace(_ site: Site) {
        host.replace(site)
        tell("routes", ["routes": .integer(site.routes.count)])
    }

    /// Changes the site; unchanged routes keep their progress.
    func change(_ edit: (inout Site) throws(ControlProblem) -> Void) throws(ControlProblem) {
        let site = try host.change(edit)
        tell("routes", ["routes": .integer(site.routes.count)])
    }

    /// Sets states of machines, now and after each reset.
    func begin(in states: [String: String]) { host.begin(in: states) }

    /// Sets states of machines.
    func set(_ states: [String: String]) {
        host.set(states)
        tell(
            "states",
            .object(states.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        )
    }

    /// Replaces the faults.
    func use(_ plan: FaultPlan) {
        injector.use(plan)
        tell("faults", ["faults": .integer(plan.faults.count)])
    }

    /// Replaces the network.
    func use(network: NetworkSchedule?) {
        injector.use(network: network)
        tell("network", ["profiles": .array(network?.phases.map { .string($0.profile.name) } ?? [])])
    }

    /// Restores the loaded site, clears the journal and releases held responses.
    func reset() {
        host.replace(host.loaded)
        injector.reset()
        journal.clear()
        tell("reset", [:])
    }

    /// Publishes an event that is not an exchange.
    func tell(_ name: String, _ value: JSONValue) {
        notices.add(name, value)
        journal.tell()
    }

    // MARK: Answering

    /// Returns how the content of a request is read; `nil` for without faults or throttling.
    func reading(of request: ServedRequest) -> RequestReading? {
        let request = below(request)
        let path = TargetParts(request.target).path
        return injector.reading(of: request, path: path, name: path)
    }

    func reply(to request: ServedRequest) -> RawReply {
        var reply = answer(below(request))
        if reply.precedesPrepared { reply.precedesPrepared = prepare(request) }
        return reply
    }

    /// Returns the reply, flagged if later ones may be prepared.
    private func answer(_ request: ServedRequest) -> RawReply {
        // Requests for the journal are not recorded, because they would displace the entries of interest.
        if TargetParts(request.target).path == DemoSite.journalPath {
            return render(host.pages.journal(request, journal.entries()), request)
        }
        if let found = host.find(request) {
            var reply = reply(found.answer, to: request, found)
            reply.precedesPrepared = found.isLikelySteady
            return reply
        }
        let answer = host.pages.answer(request)
        // A page whose settings say 404 exists.
        guard answer.status == 404, !DemoSite.hasPage(for: request) else {
            var reply = reply(answer, to: request)
            reply.precedesPrepared = true
            return reply
        }
        let nearest = host.nearest(to: request).map(\.text)
        let methods = host.methodsBesides(request)
        let refusal = methods.isEmpty ? answer : .notAllowed(methods, request.method)
        return reply(refusal.naming(nearest), to: request, nearest: nearest)
    }

    /// Returns the near misses of a request.
    func nearest(to request: ServedRequest) -> [NearMiss] { host.nearest(to: below(request)) }

    /// Returns the reply of an answer, and records the exchange.
    func reply(
        _ answer: Answer,
        to request: ServedRequest,
        _ found: SiteHost.Found? = nil,
        nearest: [String] = [],
        isLast: Bool = false
    ) -> RawReply {
        let number = journal.note(
            request,
            at: clock.wallSeconds,
            route: found?.label,
            nearest: nearest
        )
        let observer = JournalObserver(journal: journal, number: number)
        return render(answer, request, found, observer: observer, isLast: isLast)
    }

    /// Returns the request with a target relative to the base.
    func below(_ request: ServedRequest) -> ServedRequest {
        guard !base.isEmpty, let range = request.target.firstRange(of: base) else { return request }
        var request = request
        let rest = request.target[range.upperBound...]
        request.target = rest.hasPrefix("/") ? String(rest) : "/" + rest
        return request
    }

    private func render(
        _ answer: Answer,
        _ request: ServedRequest,
        _ found: SiteHost.Found? = nil,
        observer: JournalObserver? = nil,
        isLast: Bool = false
    ) -> RawReply {
        var request = request
        if isLast { request.fields.append(ServedField(FieldName.connection, "close")) }
        let context = AnswerContext(
            request: request,
            now: HTTPMoment(wallSeconds: clock.wallSeconds),
            startedAt: found?.startedAt ?? startedAt,
            base: base,
            count: found?.count ?? 1,
            elapsedSeconds: found?.elapsedSeconds ?? 0,
            parameters: found?.parameters ?? [:]
        )
        let stall = Hold()
        // Faults do not affect reading the journal.
        let strikes = observer == nil ? [] : strikes(request, answer, found, stall)
        let reply = ComposedReply.compose(answer, context, contents, stall: stall, faults: strikes)
        observer?.answered(reply)
        let raw = RawReply(reply.rendered(), ending: reply.ending, clock: clock, observer: observer)
        guard observer != nil else { return raw }
        let count = "\(request.connection) \(request.requestsBefore)"
        return injector.shaped(raw, to: request, name: "\(request.method) \(request.target) \(count)")
    }

    private func strikes(
        _ request: ServedRequest,
        _ answer: Answer,
        _ found: SiteHost.Found?,
        _ stall: Hold
    ) -> [Fault] {
        let path = TargetParts(request.target).path
        let meeting = FaultInjector.Target(
            request: request,
            path: path,
            label: found?.label ?? path,
            number: found?.count,
            answer: answer,
            commonName: path
        )
        return injector.faults(of: meeting, stall).faults
    }
}

extension Answer {
    /// Returns the answer with a list of near misses.
    fileprivate func naming(_ routes: [String]) -> Answer {
        guard !routes.isEmpty, case .text(let text) = body else { return self }
        var answer = self
        let lines = routes.map { "  \($0)\n" }.joined()
        answer.body = .text("\(text)No route matches. Near misses:\n\(lines)")
        return answer
    }
}
