public import CacheSemantics
import Clocks
public import HTTPServing
import Locks
import MockOrigin
public import OriginScript
public import PublicSuite
public import Scenarios
import Threads

/// Options of a run.
public struct RunOptions: Sendable {
    /// The way in which the origin is reached.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Transport: String, Sendable, Hashable, CaseIterable {
        /// Over sockets of this machine.
        case loopback
        /// By calls in the same process; for the built-in client only.
        case direct
    }
    /// The cache under test.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Subject: Sendable, Hashable {
        /// The client of this package, in virtual time.
        case builtin
        /// A proxy at this URL, without a slash at its end, in real time.
        case proxy(String)
        /// A forward proxy at this URL, without a slash at its end, in real time.
        case forwardProxy(String)
        /// A known proxy that is started for the run.
        case known(KnownProxy)
        /// A cache behind a driver.
        case driver(Driver)
        /// A cache of the caller's in this process, in time that is moved forward but passes by itself, too.
        case inProcess(InProcessSubject)
    }
    /// The time that passes for a subject outside the process.
    public enum Time: String, Sendable, Hashable, CaseIterable {
        /// The subject's own time if it can be moved, otherwise that of the machine.
        case auto
        /// That of the machine.
        case real
        /// Time that is moved; a subject that cannot move its own is started under libfaketime.
        case virtual
    }
    /// The cache under test; default the built-in client.
    public var subject: Subject
    /// The time that passes for a subject outside the process; default its own time if that can be moved.
    public var time = Time.auto
    /// The listening address of the origin that a proxy forwards to; default any free port of 127.0.0.1.
    public var originServer = HTTPServer.Configuration()
    /// The URL of another server that speaks the public suite's protocol; `nil` for the mock server.
    public var suiteOrigin: String?
    /// Whether the faults of the public suite's own implementation are reproduced; default true.
    public var dialect = SuiteDialect.compatible
    /// The selection of what is run; default everything.
    public var selection = Selection()
    /// The way in which the origin is reached; default loopback, which every subject but the built-in client needs.
    public var transport = Transport.loopback
    /// The maximum number of concurrent scenarios, or of requests to a proxy, at least 1; default 1.
    ///
    /// The command line uses `Subject.defaultJobs(cores:)`. Scenarios of a cache in this process mostly wait for real
    /// time to pass, so that they take much less time together with several jobs per core.
    public var jobs = 1
    /// Failures that are expected; default none.
    public var baseline = Baseline()
    /// The folder of the files that answers may name; `nil` for only the built-in ones.
    public var fixtureFolder: String?
    /// Whether results contain the bytes of the connections; default false.
    public var recordsWireBytes = false
    /// Departures from the RFCs that every scenario switches on; default none.
    public var deviations = Deviations()
    /// Whether the built-in client normalizes percent-encoding in every scenario; default false.
    public var normalizesPercentEncoding = false
    /// Whether the built-in client's requests have an observer, which keeps it from shorter ways; default true.
    public var isObserved = true
    /// Whether it is verified first that a subject other than the built-in client reaches the origin; default true.
    public var checksConnectivity = true
    /// The seed of random faults; default 0.
    public var seed: UInt64 = 0
    /// The real time limit of a step; default 20 s.
    public var stepTimeout = Duration.seconds(20)
    /// The time limit of a request of the public suite; default 10 s, as in the suite's own client.
    public var suiteTimeLimit = SuiteConversation.usualTimeLimit

    /// Creates the default options for a cache under test.
    public init(subject: Subject = .builtin) { self.subject = subject }

    /// Keys of `expect` that are not judged with the built-in client.
    var unjudged: Set<String> {
        if !isObserved { return ["chunks", "events"] }
        // Nothing separates the pieces on their way, so they arrive as one.
        return transport == .direct ? ["chunks"] : []
    }
}

/// The reason why a run has no result: nothing was selected, a server or subject could not be started, or the run was
/// cancelled.
public struct RunnerError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String
    /// Whether the task of the run was cancelled, so that the error need not be shown.
    public let isCancellation: Bool

    init(description: String, isCancellation: Bool = false) {
        (self.description, self.isCancellation) = (description, isCancellation)
    }

    static let cancelled = RunnerError(description: "The run was cancelled.", isCancellation: true)
}

/// Runs scenarios and tests of the public suite, and reports their results.
public struct Runner: Sendable {
    let suites: [Suite]
    private let dependencies: [Suite]
    let options: RunOptions
    /// The selection of `options`, for the kind of cache that the subject is.
    let selection: Selection
    private let version: String
    private let plan: RunPlan
    let publicSuites: [SuiteFile]
    private let suitePlan: SuitePlan

    /// Creates a runner; `version` is the subject's version in reports.
    ///
    /// Scenarios of `dependencies` are run only if a selected one of `suites` depends on them.
    public init(
        _ suites: [Suite],
        dependencies: [Suite] = [],
        publicSuites: [SuiteFile] = [],
        options: RunOptions,
        version: String
    ) {
        self.suites = suites
        self.dependencies = dependencies
        self.options = options
        self.version = version
        self.publicSuites = publicSuites
        var selection = options.selection
        // A subject outside the process is one kind of cache, unless the caller names others.
        if let kind = options.subject.usualKind, selection.cacheKinds.isEmpty {
            selection.cacheKinds = [kind]
        }
        self.selection = selection
        plan = RunPlan(suites, dependencies: dependencies, selection: selection)
        suitePlan = SuitePlan(publicSuites, selection: options.selection, subject: options.subject)
    }

    /// The number of results; 0 if nothing matches the selection, which is an error of the run.
    public var count: Int { plan.items.count + suitePlan.items.count }

    /// Runs everything that is selected; blocks the calling thread, on which `report` is called.
    package func run(_ report: (RunEvent) -> Void) throws(RunnerError) -> RunSummary {
        try run(until: RunCancellation(), report)
    }

    /// Runs everything that is selected, until it is cancelled, which is thrown once all servers and threads have ended.
    func run(
        until cancellation: RunCancellation,
        _ report: (RunEvent) -> Void
    ) throws(RunnerError) -> RunSummary {
        try checkSelection()
        let realTime = SystemClock()
        let begin = realTime.elapsed
        let executor = try executor(cancellation)
        defer { executor?.close() }
        report(.runStarted(description))
        var summary = RunSummary()
        summary.hasReuse = options.subject == .builtin
        let finish: (ScenarioResult) -> Void = { result in
            var result = result
            result.baselineReason = options.baseline.reason(for: result)
            summary.add(result)
            report(.scenarioFinished(result))
        }
        if let executor, !plan.items.isEmpty { perform(executor, finish, cancellation) }
        let outcomes = executor.map { suitePlan.items.mapOnThreads(atOnce: threadCount, $0.run) } ?? []
        if cancellation.isCancelled { throw .cancelled }
        var verdicts = SuiteVerdicts(suitePlan.items, outcomes)
        verdicts.results().forEach(finish)
        summary.baselineProblems = options.baseline.problems(knowing: knownKinds)
        summary.seconds = (realTime.elapsed - begin).seconds
        report(.runFinished(summary))
        return summary
    }

    /// Returns the executor of the plan; `nil` for an empty part of a run.
    ///
    /// Both scenarios and tests need a subject that passes the connectivity check.
    private func executor(_ cancellation: RunCancellation) throws(RunnerError) -> Executor? {
        if cancellation.isCancelled { throw .cancelled }
        if count == 0 { return nil }
        let executor = try Executor(
            options,
            servesSuite: !suitePlan.items.isEmpty,
            cancellation: cancellation
        )
        // Another server records no exchange of a scenario: at it, a test is the connectivity check.
        let isElsewhere = options.suiteOrigin != nil
        if !plan.items.isEmpty || !isElsewhere { try executor.checkSubject() }
        if !suitePlan.items.isEmpty, isElsewhere { try executor.checkSubjectByTest() }
        return executor
    }

    /// The names of the scenarios in the files that the selection leaves out, such as `id [shared]`.
    public var unselectedNames: Set<String> {
        let all = suites.flatMap(\.scenarios).flatMap { scenario in
            scenario.cacheKinds.map { "\(scenario.id) [\($0.rawValue)]" }
        }
        return Set(all).subtracting(plan.items.map { "\($0.scenario.id) [\($0.cacheKind.rawValue)]" })
    }

    /// The kinds of cache that each scenario and test is run with, by its id.
    private var knownKinds: [String: Set<CacheKind>] {
        let tests = publicSuites.flatMap(\.suites).flatMap(\.tests).map { ($0.id, Set(CacheKind.allCases)) }
        let scenarios = (suites + dependencies).flatMap(\.scenarios).map { ($0.id, Set($0.cacheKinds)) }
        return Dictionary(scenarios + tests) { $0.union($1) }
    }

    private var description: RunDescription {
        var description = RunDescription(
            subject: options.subject.title(version: version),
            transport: transportName,
            count: count
        )
        description.hasBaseline = options.baseline.isGiven
        description.shard = options.selection.shard
        return description
    }

    private var transportName: String {
        switch options.subject {
        case .builtin: options.transport.rawValue
        case .inProcess: RunOptions.Transport.loopback.rawValue
        case .proxy, .forwardProxy, .known, .driver: RunDescription.outside
        }
    }

    private func perform(
        _ executor: Executor,
        _ report: (ScenarioResult) -> Void,
        _ cancellation: RunCancellation
    ) {
        // A proxy with its own clock serves one scenario after the other.
        let sharesSubject = options.subject.isProxy && !executor.host.abilities.advancesClock
        let schedule = Schedule(plan, cancellation, sharesSubject: sharesSubject)
        let threads = (0..<min(threadCount, max(1, plan.items.count))).map { _ in
            SystemThread { schedule.work(executor.run) }
        }
        schedule.reportAll(report)
        for thread in threads { thread.join() }
    }

    /// Scenarios outside the process wait concurrently: jobs then limit requests to a proxy or a driver's processes.
    private var threadCount: Int { options.subject.isInProcess ? max(1, options.jobs) : 512 }
}
