import Clocks
import ControlServing
import HTTPServing
import JSON
import Locks
import OriginScript

/// A site on its clock, with its journal and its faults: that of the whole server, or of one run.
final class SiteStage: Sendable {
    /// Below which path it answers, without a slash at the end; empty for the whole server's.
    let base: String
    let clock: any TimeSource
    let journal: Journal
    /// What has happened besides exchanges.
    let notices = NoticeBoard()
    /// What goes wrong.
    let trouble: Trouble
    let contents: ContentStore
    let host: SiteHost
    /// What is prepared of it.
    let prepared = PreparedTable()
    /// So many draws of faults are kept: a server for people runs for days.
    static let mostDecisions = 1000
    private let startedAt: HTTPMoment

    init(
        base: String = "",
        _ site: Site,
        trouble: Trouble,
        journalSize: Int,
        contents: ContentStore,
        clock: any TimeSource
    ) {
        self.base = base
        self.clock = clock
        self.contents = contents
        journal = Journal(size: journalSize)
        startedAt = HTTPMoment(wallSeconds: clock.wallSeconds)
        self.trouble = trouble
        host = SiteHost(site, contents, clock)
    }

    // MARK: Steering

    var progress: (site: Site, counts: [Int], states: [String: String]) { host.progress }

    /// Serves another site from now on, every route of it from its beginning.
    func replace(_ site: Site) {
        host.replace(site)
        tell("routes", ["routes": .integer(site.routes.count)])
    }

    /// Changes what is served; routes that stay the same go on where they are.
    func change(_ edit: (inout Site) throws(ControlProblem) -> Void) throws(ControlProblem) {
        let site = try host.change(edit)
        tell("routes", ["routes": .integer(site.routes.count)])
    }

    /// Puts machines into states, now and after each reset.
    func begin(in states: [String: String]) { host.begin(in: states) }

    /// Puts machines into states.
    func set(_ states: [String: String]) {
        host.set(states)
        tell(
            "states",
            .object(states.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        )
    }

    /// Makes other things go wrong from now on.
    func use(_ plan: FaultPlan) {
        trouble.use(plan)
        tell("faults", ["faults": .integer(plan.faults.count)])
    }

    /// Puts another network between.
    func use(network: NetworkSchedule?) {
        trouble.use(network: network)
        tell("network", ["profiles": .array(network?.phases.map { .string($0.profile.name) } ?? [])])
    }

    /// Goes back to the beginning: what was loaded is served, nothing is noted, stalled answers go on.
    func reset() {
        host.replace(host.loaded)
        trouble.reset()
        journal.clear()
        tell("reset", [:])
    }

    /// Tells who follows the events of something that is no exchange.
    func tell(_ name: String, _ value: JSONValue) {
        notices.add(name, value)
        journal.tell()
    }

    // MARK: Answering

    /// Returns how the content of a request is read; `nil` is as it comes.
    func reading(of request: ServedRequest) -> RequestReading? {
        let request = below(request)
        let path = TargetParts(request.target).path
        return trouble.reading(of: request, path: path, name: path)
    }

    func reply(to request: ServedRequest) -> RawReply {
        var reply = answer(below(request))
        if reply.precedesPrepared { reply.precedesPrepared = prepare(request) }
        return reply
    }

    /// The answer; that it precedes what is prepared is told where it may.
    private func answer(_ request: ServedRequest) -> RawReply {
        // Reading the journal is not written to it, or it would push out what one wants to see.
        if TargetParts(request.target).path == DemoSite.journalPath {
            return render(host.pages.journal(request, journal.entries()), request)
        }
        if let found = host.find(request) {
            var reply = reply(found.answer, to: request, found)
            reply.precedesPrepared = found.isLikelySteady
            return reply
        }
        let answer = host.pages.answer(request)
        // A page that is told to answer 404 is there.
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

    /// Returns the routes that come nearest to a request.
    func nearest(to request: ServedRequest) -> [NearRoute] { host.nearest(to: below(request)) }

    /// Answers something that no route decides.
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

    /// The request as if the stage were the whole server.
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
        // Reading the journal stays possible whatever goes wrong.
        let strikes = observer == nil ? [] : strikes(request, answer, found, stall)
        let reply = OriginReply.compose(answer, context, contents, stall: stall, faults: strikes)
        observer?.answered(reply)
        let raw = RawReply(reply.rendered(), ending: reply.ending, clock: clock, observer: observer)
        guard observer != nil else { return raw }
        let count = "\(request.connection) \(request.requestsBefore)"
        return trouble.shaped(raw, to: request, name: "\(request.method) \(request.target) \(count)")
    }

    private func strikes(
        _ request: ServedRequest,
        _ answer: Answer,
        _ found: SiteHost.Found?,
        _ stall: Hold
    ) -> [Fault] {
        let path = TargetParts(request.target).path
        let meeting = Trouble.Meeting(
            request: request,
            path: path,
            label: found?.label ?? path,
            number: found?.count,
            answer: answer,
            commonName: path
        )
        return trouble.strikes(meeting, stall).faults
    }
}

extension Answer {
    /// Names the nearest routes where there is nothing.
    fileprivate func naming(_ routes: [String]) -> Answer {
        guard !routes.isEmpty, case .text(let text) = body else { return self }
        var answer = self
        let lines = routes.map { "  \($0)\n" }.joined()
        answer.body = .text("\(text)No route matches; the nearest are:\n\(lines)")
        return answer
    }
}
