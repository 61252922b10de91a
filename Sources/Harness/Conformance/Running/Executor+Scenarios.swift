import CacheSemantics
import Clocks
import LocatedYAML
import Locks
import MockOrigin
import OriginScript
import Scenarios

extension Executor {
    /// The maximum number of runs of a scenario whose result a busy machine may explain.
    private static let attempts = 3

    /// Throws why nothing can be judged, after closing everything; the built-in client needs no such check.
    func checkSubject() throws(RunnerError) {
        let place = "on port \(servers.shared.port ?? 0)"
        try requireConnectivity(place) { (check, kind) throws(YAMLProblems) in
            check.problem(in: run(try ConnectivityCheck.item(kind)))
        }
    }

    /// Ends the run if an exchange between the subject and the origin at this place has a problem.
    func requireConnectivity(
        _ place: String,
        problem: (ConnectivityCheck, CacheKind) throws(YAMLProblems) -> String?
    ) throws(RunnerError) {
        guard options.checksConnectivity, !host.abilities.isBuiltin else { return }
        let title = options.subject.title(version: "")
        let check = ConnectivityCheck(subject: title, isClient: options.subject.isClient, place: place)
        let found: String?
        do throws(YAMLProblems) {
            found = try problem(check, options.subject.usualKind ?? .shared)
        } catch {
            found = "the connectivity check cannot be read: \(error)"
        }
        guard let found else { return }
        close()
        if cancellation.isCancelled { throw .cancelled }
        throw RunnerError(description: "Connectivity check: \(found)")
    }

    /// Runs one scenario with one kind of cache, and repeats the whole run if it failed and its steps were so late that
    /// time alone may be why.
    func run(_ item: RunPlan.Item) -> ScenarioResult {
        let begin = clock.elapsed
        var outcome = perform(item)
        var lateRuns: [Double] = []
        while let lateness = outcome.lateness {
            lateRuns.append(lateness)
            guard lateRuns.count < Self.attempts, !cancellation.isCancelled else { break }
            outcome = perform(item)
        }
        if outcome.lateness != nil { outcome.verdict = .inconclusive(lateRuns, outcome.verdict.reason) }
        return outcome.result(of: item, lateRuns: lateRuns, seconds: (clock.elapsed - begin).seconds)
    }

    private func perform(_ item: RunPlan.Item) -> Outcome {
        if let obstacle = item.scenario.obstacle(for: host.abilities, options.transport) {
            return Outcome(verdict: .skipped(reason: obstacle))
        }
        if let reason = servers.shared.breakdown { return Outcome(lostBy: reason) }
        do throws(SubjectError) {
            let needs = SubjectNeeds(item, options)
            return try perform(item, needs, with: try host.prepare(needs))
        } catch {
            return host.abilities.isBuiltin
                ? Outcome(verdict: .harnessError("the scenario cannot be set up: \(error)"))
                : Outcome(lostBy: "the subject cannot be used: \(error)")
        }
    }

    private func perform(
        _ item: RunPlan.Item,
        _ needs: SubjectNeeds,
        with prepared: PreparedSubject
    ) throws(SubjectError) -> Outcome {
        let permits = ScenarioPermits()
        defer { permits.endAll() }
        admit(item.scenario, prepared, permits)
        let place = try servers.place(for: item.scenario)
        let startedAt = prepared.clock.wallSeconds
        let origin = openOrigin(for: item, at: place, prepared.clock, startedAt: startedAt)
        defer { origin.close() }
        let access = OriginAccess(origin: origin, permits: permits, cancellation: cancellation)
        let open = try prepared.open(access)
        defer { open.subject.close() }
        let driver = driver(of: open, prepared, access, timeout: options.stepTimeout)
        var environment = ScenarioEnvironment(
            origin: origin,
            proxy: open.authority,
            subject: open.subject,
            clock: prepared.clock,
            driver: driver,
            startedAt: startedAt
        )
        environment.add(item, needs.client, open.builtin)
        environment.limit(to: host.abilities, of: item.scenario, options)
        var outcome = cancellation.raising(driver.signal) { run(item.scenario, in: environment, origin) }
        outcome.lose(place.server, open.subject)
        return outcome
    }

    private func run(
        _ scenario: Scenario,
        in environment: ScenarioEnvironment,
        _ origin: NamespaceOrigin
    ) -> Outcome {
        let begin = environment.clock.elapsed
        let steps = StepRunner(environment: environment)
        var outcome = Outcome(verdict: steps.run(scenario.steps))
        let end = (environment.clock.elapsed - begin).seconds
        outcome.steps = steps.records
        if !host.abilities.isBuiltin { outcome.judge(scenario, until: end, host.abilities) }
        if options.recordsWireBytes { environment.driver.awaitRest(of: origin.namespace) }
        outcome.clockMoves = environment.driver.clockMoves
        outcome.decisions = origin.namespace.decisions
        // The port differs in every run.
        if options.recordsWireBytes {
            outcome.wire = origin.namespace.wireLog.replacing(origin.portText, with: ":PORT")
        }
        return outcome
    }

    // MARK: Origins

    private func openOrigin(
        for item: RunPlan.Item,
        at place: OriginServers.Place,
        _ clock: any TimeSource,
        startedAt: Double
    ) -> NamespaceOrigin {
        let name = "\(item.scenario.id) [\(item.cacheKind.rawValue)]"
        let namespace = place.server.open(
            token: host.abilities.isBuiltin ? Self.token(name + item.label) : uniqueToken(),
            routes: item.scenario.routes,
            clock: clock,
            startedAt: startedAt,
            faults: FaultPlan(faults: item.scenario.faults, seed: options.seed, scope: name)
        )
        if let network = item.scenario.emulatedNetwork { namespace.use(network: network) }
        if options.recordsWireBytes { namespace.recordWireBytes() }
        return NamespaceOrigin(
            namespace,
            port: place.port,
            identity: place.identity,
            ownServer: place.isOwn ? place.server : nil
        )
    }

    /// Returns a name below which the scenario's script answers, the same in every run regardless of what else runs.
    private static func token(_ name: String) -> String {
        "s" + String(FaultDraw(seed: 0, scope: name, request: "").bits(.accept, "token"), radix: 36)
    }
}

/// The outcome of one run of a scenario.
private struct Outcome {
    var verdict: Verdict
    var steps: [StepRecord] = []
    var decisions: [FaultDecision] = []
    var wire = ""
    var clockMoves: [ClockMove] = []
    var isSubjectLost = false
    /// The delay of its steps in seconds if that may be why it failed; else `nil`.
    var lateness: Double?

    init(verdict: Verdict) { self.verdict = verdict }

    /// Creates the outcome of a scenario whose subject or origin is gone, so that no observation is a verdict on the
    /// rules.
    init(lostBy reason: String) {
        verdict = .harnessError(reason)
        isSubjectLost = true
    }

    /// Judges it as that of a subject outside the process, whose time and observations are less exact.
    mutating func judge(_ scenario: Scenario, until end: Double, _ abilities: SubjectAbilities) {
        verdict = verdict.judged(of: scenario, steps, abilities)
        let lateness = scenario.lateness(of: steps, until: end)
        if verdict.speaksAgainstTheSubject, lateness > scenario.slack { self.lateness = lateness }
        // No rule covers a setup step, so nothing was judged; but a missing response is a failure, and so is
        // an error that the cache throws: otherwise one that always throws would conform.
        if case .setupFailed(let text) = verdict, !isUnanswered, !abilities.isInProcess, self.lateness == nil
        {
            verdict = .skipped(reason: "A setup step failed: \(text)")
        }
    }

    /// Withdraws a verdict on observations behind an origin that is gone, and notes whether the subject is.
    mutating func lose(_ server: MockServer, _ subject: any SubjectAdapter) {
        if subject.breakdown != nil { isSubjectLost = true }
        guard verdict != .passed, let reason = server.breakdown else { return }
        (verdict, isSubjectLost, lateness) = (.harnessError(reason), true, nil)
    }

    func result(of item: RunPlan.Item, lateRuns: [Double], seconds: Double) -> ScenarioResult {
        var result = ScenarioResult(
            item.scenario,
            suite: item.suite,
            cacheKind: item.cacheKind,
            verdict: verdict,
            seconds: seconds
        )
        (result.steps, result.isSubjectLost) = (steps, isSubjectLost)
        result.decisions = decisions.sorted { $0.description < $1.description }
        result.wire = wire
        result.clockMoves = clockMoves
        result.lateRuns = lateRuns
        return result
    }

    /// Whether its last step got no response in time.
    private var isUnanswered: Bool {
        steps.last?.exchanges.contains { $0.seen.error?.code == ErrorCode.code(named: "timed-out") } == true
    }
}
