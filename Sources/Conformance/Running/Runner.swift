public import CacheSemantics
import Clocks
import HTTPServing
import Locks
import MockOrigin
public import Scenarios

/// How a run is done.
public struct RunOptions: Sendable {
    /// How the origin is reached.
    public enum Transport: String, Sendable, Hashable, CaseIterable {
        /// Sockets of this machine.
        case loopback
        /// Calls in the same process.
        case direct
    }
    /// What is run; default everything.
    public var selection = Selection()
    /// How the origin is reached; default loopback.
    public var transport = Transport.loopback
    /// How many scenarios are run at once, at least 1; default 1.
    public var jobs = 1
    /// Failures that are expected; default none.
    public var baseline = Baseline()
    /// Folder of the files that answers may name; `nil` is none but the built-in ones.
    public var fixtureFolder: String?
    /// Departures from the RFCs that are switched on in every scenario; default none.
    public var deviations = Deviations()
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

/// Runs scenarios against the built-in client and tells what came of them.
public struct Runner: Sendable {
    private let suites: [Suite]
    private let dependencies: [Suite]
    private let options: RunOptions
    private let version: String
    private let plan: RunPlan

    /// Creates a runner; `version` is that of the subject, for the reports.
    ///
    /// Of `dependencies` only those scenarios are run that selected ones of `suites` depend on.
    public init(_ suites: [Suite], dependencies: [Suite] = [], options: RunOptions, version: String) {
        self.suites = suites
        self.dependencies = dependencies
        self.options = options
        self.version = version
        plan = RunPlan(suites, dependencies: dependencies, selection: options.selection)
    }

    /// How many results there will be; 0 where the selection fits nothing.
    public var count: Int { plan.items.count }

    /// Runs everything that is selected; blocks the calling thread, which is the one that `report` is called on.
    public func run(_ report: (RunEvent) -> Void) throws(RunnerError) -> RunSummary {
        let realTime = SystemClock()
        let begin = realTime.elapsed
        let workshop = try Workshop(options)
        defer { workshop.close() }
        report(.runStarted(description))
        var summary = RunSummary()
        perform(in: workshop) { result in
            summary.add(result)
            report(.scenarioFinished(result))
        }
        summary.baselineProblems = options.baseline.problems(
            knowing: Set(suites.flatMap(\.scenarios).map(\.id))
        )
        summary.seconds = (realTime.elapsed - begin).seconds
        report(.runFinished(summary))
        return summary
    }

    private var description: RunDescription {
        RunDescription(
            subject: "built-in client \(version)",
            transport: options.transport.rawValue,
            count: count
        )
    }

    private func perform(in workshop: Workshop, _ report: (ScenarioResult) -> Void) {
        let schedule = Schedule(plan)
        let threads = (0..<min(max(1, options.jobs), max(1, plan.items.count))).map { _ in
            JobThread { schedule.work(workshop.run) }
        }
        schedule.reportAll { result in
            var result = result
            result.baselineReason = options.baseline.reason(for: result)
            report(result)
        }
        for thread in threads { thread.join() }
    }
}
