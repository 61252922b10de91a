import Clocks
import HTTPServing
import Locks
import OriginScript

/// Answers the requests of a namespace.
extension OriginNamespace {
    /// A recorded request with its reply.
    struct Accepted {
        let number: Int
        /// The request's name in logs; empty if it is not needed.
        var name = ""
        let reply: ComposedReply
        /// The reply of an upstream, which is sent in place of `reply`; `nil` if nothing is passed.
        var passed: PassedReply?
        /// Whether the replies to such requests may be prepared.
        var isLikelySteady = false
    }

    /// Returns the greeting of a connection, before its first request.
    func greeting(isTLS: Bool) -> Greeting {
        injector.greeting(isTLS: isTLS) { GreetingObserver(namespace: self, number: -$0) }
    }

    /// Returns the pace for reading the content of a request; `nil` without faults and throttling.
    func reading(of request: ServedRequest) -> RequestReading? {
        let request = below(request)
        let path = TargetParts(request.target).path
        let observer = PauseObserver(namespace: self)
        return injector.reading(
            of: request,
            path: path,
            name: "\(request.method) \(path)",
            observer: observer
        )
    }

    /// Returns the reply to a request that was received on a socket.
    func reply(to request: ServedRequest) -> RawReply {
        let arrivedAt = clock.elapsed
        let routed = RoutedRequest(below(request))
        // Requests for the journal are not recorded, because they would displace the entries of interest.
        if routed.path == DemoSite.journalPath, let reply = journalReply(to: routed) { return reply }
        let accepted = accept(request, routed)
        let reply = render(accepted, request, arrivedAt)
        if accepted.isLikelySteady { prepare(request) }
        return reply
    }

    /// Returns the journal; `nil` without pages, and where a route or file is served at its path.
    private func journalReply(to routed: RoutedRequest) -> RawReply? {
        let site = state.withLock { $0.site }
        guard let pages = site.pages, !site.serves(routed, contents) else { return nil }
        let now = HTTPTimestamp(wallSeconds: clock.wallSeconds)
        let context = AnswerContext(request: routed.request, now: now, startedAt: now)
        let reply = ComposedReply.compose(pages.journal(routed.request, record()), context, contents)
        return RawReply(reply.rendered(), ending: reply.ending, clock: clock)
    }

    /// Returns the reply of a given answer, recorded like any other.
    func reply(_ answer: Answer, to request: ServedRequest) -> RawReply {
        let arrivedAt = clock.elapsed
        let accepted = record(RoutedRequest(below(request)), as: ServedSite.Selection(answer: answer))
        return render(accepted, request, arrivedAt)
    }

    /// Records a request that no script answers, because a server would refuse it.
    func refuse(_ request: ServedRequest, for problem: RequestProblem) -> Accepted {
        let answer = Answer.plain(status: problem.status, problem.explanation)
        return record(RoutedRequest(below(request)), as: ServedSite.Selection(answer: answer))
    }

    /// Returns the near misses of a request.
    func nearest(to request: ServedRequest) -> [NearMiss] {
        let site = state.withLock { $0.site }
        return NearMiss.nearest(
            to: RoutedRequest(below(request)),
            in: site.script,
            elapsedSeconds: elapsedSeconds(of: site)
        )
    }

    /// Returns the near misses of a route with what distinguishes each request, nearest first.
    func nearest(_ exchanges: [RecordedExchange], to route: Route) -> [UnexpectedRequests.Other] {
        let site = state.withLock { $0.site }
        let elapsedSeconds = elapsedSeconds(of: site)
        let ranked = exchanges.map { exchange in
            let request = RoutedRequest(exchange.request)
            return (
                exchange,
                NearMiss.distance(of: request, from: route, in: site.script, elapsedSeconds: elapsedSeconds)
            )
        }
        let nearest = ranked.sorted { ($0.1.distance, $0.0.number) < ($1.1.distance, $1.0.number) }
        return nearest.map { .init(exchange: $0.0, differences: $0.1.differences) }
    }

    /// Records a request and returns its reply.
    func accept(_ request: ServedRequest) -> Accepted { accept(request, RoutedRequest(below(request))) }

    /// Returns the request with a target relative to the base.
    func below(_ request: ServedRequest) -> ServedRequest {
        guard !base.isEmpty else { return request }
        let target = TargetParts(request.target)
        guard target.path.hasPrefix(base + "/") || target.path == base else { return request }
        var request = request
        let path = target.path.dropFirst(base.count)
        request.target = (path.isEmpty ? "/" : path) + (target.query.map { "?" + $0 } ?? "")
        return request
    }

    private func render(_ accepted: Accepted, _ request: ServedRequest, _ arrivedAt: Duration) -> RawReply {
        let observer = NamespaceObserver(namespace: self, number: accepted.number)
        var reply = RawReply(
            accepted.passed?.steps ?? accepted.reply.rendered(),
            ending: accepted.reply.ending,
            clock: clock,
            observer: accepted.passed.map { PassObserver(inner: observer, onEnd: $0.onEnd) } ?? observer
        )
        reply.arrivedAt = arrivedAt
        let isLogged = state.withLock { state in
            state.wire?.add(accepted.number, name: accepted.name, request, reply.ending) != nil
        }
        if isLogged {
            reply.onWritten = { bytes in self.state.withLock { $0.wire?.write(accepted.number, bytes) } }
        }
        return injector.shaped(reply, to: request, name: accepted.name)
    }

    // MARK: Selecting

    private func accept(_ request: ServedRequest, _ routed: RoutedRequest) -> Accepted {
        if let suite {
            let number = journal.add(Pending(routed, self).exchange)
            let reply = suite.reply(to: request)
            journal.answered(number, reply)
            return Accepted(number: number, reply: reply)
        }
        if let accepted = match(routed, as: routed) { return accepted }
        let site = state.withLock { $0.site }
        // RFC 9110 §9.3.2: HEAD is GET without the content.
        if routed.request.method == "HEAD", site.pages != nil {
            var reading = routed.request
            reading.method = "GET"
            if let accepted = match(routed, as: RoutedRequest(reading)) { return accepted }
        }
        let elapsed = elapsedSeconds(of: site)
        let selection = site.unmatched(routed, contents, elapsedSeconds: elapsed, passes: passer != nil)
        return record(routed, as: selection)
    }

    /// Records a request that a route matches and returns its reply; `nil` if none does.
    private func match(_ routed: RoutedRequest, as reading: RoutedRequest) -> Accepted? {
        while true {
            let (index, generation) = state.withLock { ($0.site.script.index, $0.site.generation) }
            // Compared outside the lock, because the content may be large.
            let places = index.places(for: reading)
            if places.isEmpty { return nil }
            let pending = Pending(routed, self)
            let arrival = state.withLock { state -> Arrival? in
                let elapsed = elapsedSeconds(of: state.site)
                guard state.site.generation == generation,
                    let selection = state.site.select(reading, among: places, elapsedSeconds: elapsed)
                else { return nil }
                return arrive(pending, selection, state)
            }
            if let arrival { return answer(arrival) }
            // The routes were replaced meanwhile: match the new ones.
            if state.withLock({ $0.site.generation }) == generation { return nil }
        }
    }

    func elapsedSeconds(of site: ServedSite) -> Double { (clock.elapsed - site.start.elapsed).inSeconds }

    // MARK: Recording

    /// A request before it is recorded.
    private struct Pending {
        let routed: RoutedRequest
        let exchange: RecordedExchange
        let stall = Hold()

        init(_ routed: RoutedRequest, _ namespace: OriginNamespace) {
            self.routed = routed
            exchange = RecordedExchange(
                routed.request,
                at: namespace.clock.wallSeconds,
                keeping: namespace.journal.contentLimit
            )
        }
    }
    /// A request that is recorded.
    private struct Arrival {
        let pending: Pending
        let number: Int
        let selection: ServedSite.Selection
        let outcome: FaultInjector.Outcome
        let startedAt: HTTPTimestamp
        let elapsedSeconds: Double
    }

    private func record(_ routed: RoutedRequest, as selection: ServedSite.Selection) -> Accepted {
        let pending = Pending(routed, self)
        return answer(state.withLock { arrive(pending, selection, $0) })
    }

    /// Decides on faults and records, with the state locked: concurrent requests have one order at a route, in faults and
    /// in the record.
    private func arrive(_ pending: Pending, _ selection: ServedSite.Selection, _ state: State) -> Arrival {
        let routed = pending.routed
        let target = FaultInjector.Target(
            request: routed.request,
            path: routed.path,
            label: selection.label ?? routed.path,
            number: selection.count,
            answer: selection.answer,
            // A name is a digest of the whole request: most scenarios draw nothing and keep no log.
            isNamed: state.site.hasFaults || state.wire != nil
        )
        let outcome = injector.faults(of: target, pending.stall)
        var exchange = pending.exchange
        (exchange.route, exchange.nearMisses) = (selection.label, selection.nearest)
        exchange.faults = outcome.faults.map(\.description)
        return Arrival(
            pending: pending,
            number: journal.add(exchange),
            selection: selection,
            outcome: outcome,
            startedAt: state.site.start.moment,
            elapsedSeconds: elapsedSeconds(of: state.site)
        )
    }

    private func answer(_ arrival: Arrival) -> Accepted {
        let (selection, outcome) = (arrival.selection, arrival.outcome)
        injector.report(outcome.decisions)
        var context = AnswerContext(
            request: arrival.pending.routed.request,
            now: HTTPTimestamp(wallSeconds: arrival.pending.exchange.arrivedSeconds),
            startedAt: arrival.startedAt
        )
        (context.base, context.other, context.count) = (base, other(), selection.count ?? 1)
        (context.elapsedSeconds, context.parameters) = (arrival.elapsedSeconds, selection.parameters)
        let passed = passed(arrival)
        let reply = ComposedReply.compose(
            selection.answer.passing == nil ? selection.answer : .notPassed,
            context,
            contents,
            stall: arrival.pending.stall,
            faults: outcome.faults
        )
        if passed == nil { journal.answered(arrival.number, reply) }
        return Accepted(
            number: arrival.number,
            name: outcome.name,
            reply: reply,
            passed: passed,
            isLikelySteady: selection.isLikelySteady
        )
    }

    /// Passes a request to the upstream; `nil` if its answer does not ask for that, or a fault answers instead.
    private func passed(_ arrival: Arrival) -> PassedReply? {
        let isReplaced = arrival.outcome.faults.contains {
            if case .status = $0.action { true } else { false }
        }
        guard let passing = arrival.selection.answer.passing, let passer, !isReplaced else { return nil }
        return passer.pass(
            PassedRequest(
                request: arrival.pending.routed.request,
                passing: passing,
                faults: arrival.outcome.faults,
                startedAt: Double(arrival.startedAt.seconds),
                stall: arrival.pending.stall
            ) { [journal, number = arrival.number] in journal.passed(number, status: $0, fields: $1) }
        )
    }
}

extension Answer {
    /// The answer where requests cannot be passed.
    fileprivate static var notPassed: Answer {
        plain(
            status: 502,
            "The answer is \"pass\", and this server has no upstream; serve --upstream URL names one."
        )
    }
}
