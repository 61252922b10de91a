import Clocks
public import CacheSemantics
public import PublicSuite
import ReportFormats

/// The totals of a run.
public struct RunSummary: Sendable, Hashable {
    /// The counts of each area, in the order of the files.
    public package(set) var areas: [AreaCounts] = []
    /// Problems of the baseline itself, such as ids that no scenario has; each fails the run.
    public package(set) var baselineProblems: [String] = []
    /// Wall time of the run in seconds.
    package var seconds: Double = 0

    /// The number of results without a verdict because the subject exited or became unreachable.
    public package(set) var lostCount = 0
    /// Whether a subject of this process ran, which is known to store, or anything came from a store or was validated.
    public package(set) var hasReuse = true
    /// The number of the public suite's tests in each class, by level.
    public package(set) var suiteClasses: [RuleLevel: [SuiteClass: Int]] = [:]
    /// Results of the public suite's tests without dependencies, by id; of several kinds of cache the last.
    public package(set) var suiteResults: [String: SuiteResult] = [:]

    /// The wall time of the run.
    public var duration: Duration { .saturating(seconds: seconds) }

    /// Creates the summary of an empty run.
    package init() {}

    /// Counts a result.
    package mutating func add(_ result: ScenarioResult) {
        let index = areas.firstIndex { $0.area == result.area } ?? areas.endIndex
        if index == areas.endIndex { areas.append(AreaCounts(area: result.area)) }
        areas[index].counts[result.standing, default: 0] += 1
        areas[index].seconds += result.seconds
        if result.isSubjectLost { lostCount += 1 }
        if result.showsReuse { hasReuse = true }
        if let suiteClass = result.suiteClass {
            suiteClasses[result.level, default: [:]][suiteClass, default: 0] += 1
            suiteResults[result.id] = result.suiteResult ?? suiteResults[result.id]
        }
    }

    /// Passes that are not counted, because no response of the run came from a store.
    public var unstored: Int { hasReuse ? 0 : total[.passed] }

    /// The totals in a line: `2 passed, 0 failed, 1 skipped`, with passes of a subject that stores nothing apart, and the
    /// number of problems of the baseline if there are any.
    public var line: String {
        var counts = total
        if unstored > 0 { counts.counts[.passed] = 0 }
        let problems = baselineProblems.count
        return counts.line
            + (unstored > 0 ? ", \(unstored) passed without any reuse" : "")
            + (problems > 0 ? ", \(counted(problems, "baseline problem"))" : "")
    }

    /// The sum of all areas.
    public var total: AreaCounts {
        areas.reduce(into: AreaCounts(area: "total")) { sum, area in
            sum.counts.merge(area.counts, uniquingKeysWith: +)
            sum.seconds += area.seconds
        }
    }

    /// The exit status: 0 as expected, 1 if an expectation failed or the baseline is wrong, 69 if the subject
    /// exited or became unreachable during the run, 70 if the harness could not continue.
    public var exitStatus: Int32 {
        let total = total
        if lostCount > 0 { return 69 }
        if total.failed > total[.broken] || !baselineProblems.isEmpty { return 1 }
        return total[.broken] > 0 ? 70 : 0
    }
}

/// The counts of one area.
public struct AreaCounts: Sendable, Hashable {
    /// Folder below the scenarios folder.
    public package(set) var area: String
    /// The number of results with each status.
    public package(set) var counts: [ResultStatus: Int] = [:]
    /// Sum of the real time of its scenarios, in seconds.
    package var seconds: Double = 0

    /// The sum of the real time of its scenarios.
    public var duration: Duration { .saturating(seconds: seconds) }

    /// Creates empty counts.
    package init(area: String) {
        self.area = area
    }

    /// The number of results with a status.
    public subscript(standing: ResultStatus) -> Int { counts[standing, default: 0] }

    /// The number of results that fail the run.
    public var failed: Int { ResultStatus.allCases.filter(\.failsRun).reduce(0) { $0 + self[$1] } }

    /// The number of results that passed.
    public var passed: Int { self[.passed] }

    /// The number of all results.
    public var all: Int { counts.values.reduce(0, +) }

    /// The counts in a line: `2 passed, 0 failed, 1 skipped`, then `1 noted` and `3 expected failures` if there are any.
    var line: String {
        let (noted, expected) = (self[.noted], self[.expectedFailure])
        return "\(passed) passed, \(failed) failed, \(self[.skipped]) skipped"
            + (noted > 0 ? ", \(noted) noted" : "")
            + (expected > 0 ? ", \(counted(expected, "expected failure"))" : "")
    }
}
