public import CacheSemantics
import Clocks
public import HTTPServing
import Locks
import MockOrigin
public import OriginScript
public import PublicSuite
public import Scenarios
import Threads

/// How a run is done.
public struct RunOptions: Sendable {
    /// How the origin is reached.
    public enum Transport: String, Sendable, Hashable, CaseIterable {
        /// Sockets of this machine.
        case loopback
        /// Calls in the same process.
        case direct
    }
    /// The cache under test.
    public enum Subject: Sendable, Hashable {
        /// The client of this package, in virtual time.
        case builtin
        /// A proxy at this URL, without a slash at its end, in real time.
        case proxy(String)
        /// A forward proxy at this URL, without a slash at its end, in real time.
        case forwardProxy(String)
        /// A proxy that is started for the run.
        case known(KnownProxy)
        /// A cache behind a driver.
        case driver(Driver)
    }
    /// Which time passes for a subject outside the process.
    public enum Time: String, Sendable, Hashable, CaseIterable {
        /// Its own where it can be moved, else that of the machine.
        case auto
        /// That of the machine.
        case real
        /// One that is moved, for which the subject is started under libfaketime where it cannot do so itself.
        case virtual
    }
    /// The cache under test; default the built-in client.
    public var subject = Subject.builtin
    /// Which time passes for a subject outside the process; default its own where that can be moved.
    public var time = Time.auto
    /// Where the origin listens that a proxy forwards to; default any free port of 127.0.0.1.
    public var originServer = HTTPServer.Configuration()
    /// The URL of another server that speaks the public suite's protocol; `nil` for the mock server.
    public var suiteOrigin: String?
    /// Whether the faults of the public suite's own implementation are copied; default they are.
    public var dialect = SuiteDialect.compatible
    /// What is run; default everything.
    public var selection = Selection()
    /// How the origin is reached; default loopback.
    public var transport = Transport.loopback
    /// How many scenarios, or against a proxy requests, are run at once, at least 1; default 1.
    public var jobs = 1
    /// Failures that are expected; default none.
    public var baseline = Baseline()
    /// Folder of the files that answers may name; `nil` is none but the built-in ones.
    public var fixtureFolder: String?
    /// Whether results carry what went over the connections; default false.
    public var keepsWire = false
    /// Departures from the RFCs that are switched on in every scenario; default none.
    public var deviations = Deviations()
    /// Whether the built-in client normalizes percent-encoding in every scenario; default false.
    public var normalizesPercentEncoding = false
    /// What random faults are drawn from; default 0.
    public var seed: UInt64 = 0
    /// Real time after which a step is given up; default 20 s.
    public var patience = Duration.seconds(20)

    /// Creates the default options.
    public init() {}
}

/// A server that could not be started, so that nothing was run.
public struct RunnerError: Error, Sendable, CustomStringConvertible {
    /// One sentence.
    public let description: String
}

/// Runs scenarios and tests of the public suite, and reports their results.
public struct Runner: Sendable {
    private let suites: [Suite]
    private let dependencies: [Suite]
    private let options: RunOptions
    private let version: String
    private let plan: RunPlan
    private let publicSuites: [SuiteFile]
    private let suitePlan: SuitePlan

    /// Creates a runner; `version` is that of the subject, for the reports.
    ///
    /// Of `dependencies` only those scenarios are run that selected ones of `suites` depend on.
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
        // A subject outside the process is one kind of cache, unless the caller says which.
        if let kind = options.subject.usualKind, selection.cacheKinds.isEmpty {
            selection.cacheKinds = [kind]
        }
        plan = RunPlan(suites, dependencies: dependencies, selection: selection)
        suitePlan = SuitePlan(publicSuites, selection: options.selection, subject: options.subject)
    }

    /// How many results there will be; 0 where the selection fits nothing.
    public var count: Int { plan.items.count + suitePlan.items.count }

    /// Runs everything that is selected; blocks the calling thread, which is the one that `report` is called on.
    public func run(_ report: (RunEvent) -> Void) throws(RunnerError) -> RunSummary {
        let realTime = SystemClock()
        let begin = realTime.elapsed
        let stages = try RunEnvironment(options, plan, suitePlan)
        defer { stages.close() }
        report(.runStarted(description))
        var summary = RunSummary()
        let tell: (ScenarioResult) -> Void = { result in
            var result = result
            result.baselineReason = options.baseline.reason(for: result)
            summary.add(result)
            report(.scenarioFinished(result))
        }
        if let runScenario = stages.runScenario { perform(runScenario, tell) }
        var verdicts = SuiteVerdicts(suitePlan.items, stages.runSuites(suitePlan.items))
        verdicts.results().forEach(tell)
        summary.baselineProblems = options.baseline.problems(knowing: knownIDs)
        summary.seconds = (realTime.elapsed - begin).seconds
        report(.runFinished(summary))
        return summary
    }

    private var knownIDs: Set<String> {
        let tests = publicSuites.flatMap(\.suites).flatMap(\.tests).map(\.id)
        return Set(suites.flatMap(\.scenarios).map(\.id) + tests)
    }

    private var description: RunDescription {
        var description = RunDescription(
            subject: options.subject.title(version: version),
            transport: options.subject == .builtin ? options.transport.rawValue : "network",
            count: count
        )
        description.hasBaseline = options.baseline.isGiven
        return description
    }

    private func perform(
        _ run: @escaping @Sendable (RunPlan.Item) -> ScenarioResult,
        _ report: (ScenarioResult) -> Void
    ) {
        let schedule = Schedule(plan)
        let threads = (0..<min(threadCount, max(1, plan.items.count))).map { _ in
            SystemThread { schedule.work(run) }
        }
        schedule.reportAll(report)
        for thread in threads { thread.join() }
    }

    /// Outside the process scenarios wait side by side: jobs are about requests to a proxy, or a driver's processes.
    private var threadCount: Int { options.subject == .builtin ? max(1, options.jobs) : 512 }
}
