import Clocks
import LocatedYAML
import OriginScript
import PublicSuite
import TextCodings

extension Executor {
    /// Throws why no test can be judged at the other server that the options name, after closing everything.
    func checkSubjectByTest() throws(RunnerError) {
        guard let server = options.suiteOrigin else { return }
        try requireConnectivity("at \(server)") { (check, kind) throws(YAMLProblems) in
            check.problem(in: run(try ConnectivityCheck.test(kind)).result)
        }
    }

    /// Returns the outcome of a test; that of a test that does not apply has no result.
    func run(_ item: SuitePlan.Item) -> SuiteOutcome {
        if item.obstacle != nil || cancellation.isCancelled { return SuiteOutcome() }
        let begin = clock.elapsed
        var outcome: SuiteOutcome
        do throws(SubjectError) {
            outcome = try run(item, with: try host.prepare(SubjectNeeds(item, options)))
        } catch {
            outcome = SuiteOutcome(result: broken(item.test, error.description))
            outcome.isSubjectLost = !host.abilities.isBuiltin
        }
        outcome.seconds = (clock.elapsed - begin).seconds
        return outcome
    }

    private func run(
        _ item: SuitePlan.Item,
        with prepared: PreparedSubject
    ) throws(SubjectError) -> SuiteOutcome {
        let id = suiteID()
        let origin = suiteOrigins.open(item.test, id: id, clock: prepared.clock)
        defer { origin.close() }
        let permits = ScenarioPermits()
        defer { permits.endAll() }
        let access = OriginAccess(origin: origin.origin, permits: permits, cancellation: cancellation)
        let open = try prepared.open(access)
        defer { open.subject.close() }
        // A driver is abandoned later than a request that it has not answered.
        let timeout = options.stepTimeout + options.suiteTimeLimit
        let driver = driver(of: open, prepared, access, timeout: timeout)
        let runner = SuiteTestRunner(
            test: item.test,
            origin: origin,
            open: open,
            clock: prepared.clock,
            driver: driver
        )
        let outcome = cancellation.raising(driver.signal) { runner.run(conversation(item.test, id)) }
        let reason = open.subject.breakdown ?? (outcome.holds ? nil : suiteOrigins.breakdown)
        guard let reason else { return outcome }
        // No observation of a subject or an origin that broke is a verdict.
        return SuiteOutcome(result: broken(item.test, reason), steps: outcome.steps, isSubjectLost: true)
    }

    private func conversation(_ test: SuiteTest, _ id: String) -> SuiteConversation {
        let isFetched = options.dialect == .compatible && !options.subject.isClient
        return SuiteConversation(
            test,
            id: id,
            dialect: options.dialect,
            isFetched: isFetched,
            timeLimit: options.suiteTimeLimit
        )
    }

    /// Returns the result of a test that the harness could not continue.
    private func broken(_ test: SuiteTest, _ reason: String) -> SuiteResult? {
        var conversation = SuiteConversation(test, id: "", dialect: options.dialect)
        conversation.fail(reason)
        guard case .finish(let result) = conversation.next() else { return nil }
        return result
    }

    /// Returns the id of a test at its origin, which is as long as a UUID (RFC 9562 §5.4): tests script the length of
    /// content that consists of it.
    ///
    /// A subject outside the process may still hold responses of earlier runs, so its ids are random.
    private func suiteID() -> String {
        if host.abilities.isBuiltin {
            let digits = String(number())
            return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count))
                + digits
        }
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { Hexadecimal.digits(of: $0) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}
