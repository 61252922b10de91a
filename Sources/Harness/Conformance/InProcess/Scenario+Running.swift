public import CacheSemantics
public import Scenarios

extension Scenario {
    /// Runs the scenario alone against a cache in this process, with a separate origin and clock.
    ///
    /// The scenarios that it depends on are not run: if one of them fails, so may this one. A scenario that does not
    /// apply to the subject is skipped. There is no connectivity check, but an error that the subject throws in a setup step
    /// fails the scenario (`setupFailed`). Throws if the origin cannot be started, and if the task is cancelled
    /// (`RunnerError.isCancellation`): the requests' tasks are also cancelled then.
    public func run(_ subject: InProcessSubject) async throws(RunnerError) -> ScenarioResult {
        let path = id.split(separator: "/").dropLast().joined(separator: "/")
        let suite = Suite(path: path, title: "", scenarios: [self])
        guard cacheKinds.contains(subject.kind) else {
            let reason = "The scenario does not apply to \(subject.kind.rawValue) caches."
            return ScenarioResult(
                self,
                suite: suite,
                cacheKind: subject.kind,
                verdict: .skipped(reason: reason)
            )
        }
        var options = RunOptions()
        options.subject = .inProcess(subject)
        options.checksConnectivity = false
        let item = RunPlan.Item(scenario: self, suite: suite, cacheKind: subject.kind)
        return try await untilCancelled { [options] cancellation throws(RunnerError) in
            let executor = try Executor(options, cancellation: cancellation)
            defer { executor.close() }
            let result = executor.run(item)
            if cancellation.isCancelled { throw .cancelled }
            return result
        }
    }

    /// Runs the scenario alone against the cache that `make` returns; see `run(_:)`.
    public func run(
        as kind: CacheKind = .private,
        make: @escaping @Sendable (SubjectContext) throws -> any Subject
    ) async throws(RunnerError) -> ScenarioResult {
        try await run(InProcessSubject("subject", kind: kind, make: make))
    }
}

extension Scenario: Identifiable, CustomStringConvertible {
    /// The id, which Swift Testing shows as the argument.
    public var description: String { id }
}

extension ScenarioResult {
    /// Whether the result is compatible with conformance: it passed, was skipped, or no rule requires it to pass.
    ///
    /// Also false if the harness could not continue.
    public var conforms: Bool { !standing.failsRun }

    /// The verdict with everything that led to it, over several lines: the exchanges at both ends, what was expected,
    /// and how the rules apply.
    public var explanation: String { Transcript.lines(of: self).joined(separator: "\n") }
}
