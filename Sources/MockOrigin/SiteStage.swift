import Clocks
import ControlServing
import HTTPServing
import Locks
import OriginScript

/// A site on its clock, with its journal and its faults: that of the whole server, or of one run.
final class SiteStage: Sendable {
    private struct Trouble {
        var desk: FaultDesk
        var began: Duration
        private(set) var stalls: [(label: String, hold: Hold)] = []
        /// More cannot wait at once, because each has a connection.
        private static let mostStalls = 4096

        mutating func add(_ stall: Hold, _ label: String) {
            if stalls.count >= Self.mostStalls { stalls.removeFirst() }
            stalls.append((label, stall))
        }

        /// Removes the stalls of one route or of all and returns them.
        mutating func takeStalls(_ label: String?) -> [Hold] {
            let chosen = stalls.filter { label == nil || $0.label == label }
            stalls.removeAll { label == nil || $0.label == label }
            return chosen.map(\.hold)
        }
    }
    /// Below which path it answers, without a slash at the end; empty for the whole server's.
    let base: String
    let clock: any TimeSource
    let journal: Journal
    /// What has happened besides exchanges.
    let notices = NoticeBoard()
    private let contents: ContentStore
    private let host: SiteHost
    private let startedAt: HTTPMoment
    private let plan: FaultPlan
    private let trouble: Lock<Trouble>

    init(
        base: String = "",
        _ site: Site,
        faults: FaultPlan,
        journalSize: Int,
        contents: ContentStore,
        clock: any TimeSource
    ) {
        self.base = base
        self.clock = clock
        self.contents = contents
        journal = Journal(size: journalSize)
        startedAt = HTTPMoment(wallSeconds: clock.wallSeconds)
        plan = faults
        trouble = Lock(Trouble(desk: FaultDesk(faults), began: clock.elapsed))
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

    /// Puts machines into states.
    func set(_ states: [String: String]) {
        host.set(states)
        tell(
            "states",
            .object(states.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .text($0.value)) })
        )
    }

    /// What goes wrong, and what was drawn so far, in the order it was drawn.
    var faults: (plan: FaultPlan, decisions: [FaultDecision]) {
        trouble.withLock { ($0.desk.plan, $0.desk.decisions) }
    }

    /// Makes other things go wrong from now on.
    func set(_ plan: FaultPlan) {
        trouble.withLock { trouble in
            trouble.desk = FaultDesk(plan)
            trouble.began = clock.elapsed
        }
        tell("faults", ["faults": .integer(plan.faults.count)])
    }

    /// Lets answers go that stall now, of one route or, with `nil`, of all; returns how many.
    func release(label: String?) -> Int {
        let holds = trouble.withLock { $0.takeStalls(label) }
        for hold in holds { hold.release() }
        return holds.count
    }

    /// Goes back to the beginning: what was loaded is served, nothing is noted, stalled answers go on.
    func reset() {
        _ = release(label: nil)
        host.replace(host.loaded)
        set(plan)
        journal.clear()
        tell("reset", [:])
    }

    /// Tells who follows the events of something that is no exchange.
    func tell(_ name: String, _ value: JSONValue) {
        notices.add(name, value)
        journal.tell()
    }

    /// The targets, of some, of pages that nothing changes.
    func untouched(_ targets: [String]) -> Set<String> {
        let isIdle = trouble.withLock { $0.desk.plan.faults.isEmpty }
        return isIdle ? SiteHost.untouched(by: host.site, targets, contents) : []
    }

    // MARK: Answering

    func reply(to request: ServedRequest) -> RawReply {
        let request = below(request)
        // Reading the journal is not written to it, or it would push out what one wants to see.
        if TargetParts(request.target).path == DemoSite.journalPath {
            return render(host.pages.journal(request, journal.entries()), request)
        }
        if let found = host.find(request) { return reply(found.answer, to: request, found) }
        return reply(host.pages.answer(request).naming(host.nearest(to: request)), to: request)
    }

    /// Answers something that no route decides.
    func reply(
        _ answer: Answer,
        to request: ServedRequest,
        _ found: SiteHost.Found? = nil,
        isLast: Bool = false
    ) -> RawReply {
        let number = journal.note(request, at: clock.wallSeconds, route: found?.label)
        let observer = JournalObserver(journal: journal, number: number)
        return render(answer, request, found, observer: observer, isLast: isLast)
    }

    /// The request as if the stage were the whole server.
    private func below(_ request: ServedRequest) -> ServedRequest {
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
        let strikes = observer == nil ? [] : strikes(request, answer, found, stall)
        let reply = OriginReply.compose(answer, context, contents, stall: stall, faults: strikes)
        observer?.answered(reply.finalStatus)
        return RawReply(reply.rendered(), ending: reply.ending, clock: clock, observer: observer)
    }

    /// What goes wrong with an answer; reading the journal stays possible.
    private func strikes(
        _ request: ServedRequest,
        _ answer: Answer,
        _ found: SiteHost.Found?,
        _ stall: Hold
    ) -> [Fault] {
        let path = TargetParts(request.target).path
        let label = found?.label ?? path
        let now = clock.elapsed
        return trouble.withLock { trouble in
            if answer.stall != nil { trouble.add(stall, label) }
            guard !trouble.desk.isIdle || !answer.faults.isEmpty else { return [] }
            let number = found?.count ?? trouble.desk.count(path)
            let strikes = trouble.desk.strikes(
                request,
                path: path,
                route: label,
                number: number,
                answer: answer,
                elapsed: now - trouble.began
            )
            if answer.stall == nil, strikes.contains(where: \.waitsForRelease) {
                trouble.add(stall, label)
            }
            return strikes
        }
    }
}

extension Answer {
    /// Names the nearest routes where there is nothing.
    fileprivate func naming(_ routes: [NearRoute]) -> Answer {
        guard status == 404, !routes.isEmpty, case .text(let text) = body else { return self }
        var answer = self
        let lines = routes.map { "  \($0.text)\n" }.joined()
        answer.body = .text("\(text)No route matches; the nearest are:\n\(lines)")
        return answer
    }
}
