import Clocks
import CacheSemantics
public import LocatedYAML
import OriginScript
import PublicSuite
import Scenarios

/// A run parsed from its JSON report, so that parts that were run separately become one report of any format.
public struct RunLog: Sendable {
    /// The run's description.
    public var description: RunDescription
    /// The results in the order of the report.
    public var results: [ScenarioResult]
    /// Problems of the baseline, one sentence each.
    public var baselineProblems: [String] = []
    /// Wall time in seconds.
    package var seconds = 0.0

    /// Wall time.
    public var duration: Duration { .saturating(seconds: seconds) }

    /// Parses the text of `file`; throws all problems in it.
    public init(text: String, file: String) throws(YAMLProblems) {
        description = RunDescription(subject: "", transport: "", count: 0)
        results = []
        var hasEnded = false
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() where !line.isEmpty {
            // An event may contain all bytes of a scenario's connections.
            let event = try YAMLNode.parse(json: String(line), file: file, line: index + 1, size: .archive)
            switch event.text("event") {
            case "run-started":
                description = RunDescription(
                    subject: event.text("subject"),
                    transport: event.text("transport"),
                    count: 0
                )
                description.hasBaseline = event.text("baseline") == "true"
                description.shard = Shard(event.text("shard"))
            case "scenario-finished": results.append(try ScenarioResult(event))
            case "run-finished":
                hasEnded = true
                seconds = Double(event.text("seconds")) ?? 0
                baselineProblems =
                    event.value(of: "baseline-problems")?.elements?.compactMap(\.scalarText) ?? []
            default: throw event.unexpected("an event of a JSON report")
            }
        }
        if !hasEnded {
            let start = Position(file: file)
            throw YAMLProblems(at: start, found: "an incomplete report", expected: "a complete JSON report")
        }
        description.count = results.count
    }

    /// Merges parts in the order of the suites; throws an error if they are of different subjects, or not exactly the
    /// shards of one run.
    public static func merged(_ logs: [RunLog]) throws(RunnerError) -> RunLog? {
        guard var all = logs.first else { return nil }
        try requireWhole(logs.map(\.description.shard))
        all.description.shard = nil
        for log in logs.dropFirst() { try all.append(log) }
        var seen: Set<String> = []
        // A dependency of scenarios in two parts runs in both.
        all.results = all.results.filter { seen.insert($0.name).inserted }
        all.results.sort {
            ($0.position.file, $0.position.line, $0.name) < ($1.position.file, $1.position.line, $1.name)
        }
        all.description.count = all.results.count
        return all
    }

    /// Throws an error that names what is wrong unless each shard is there once; reports of whole runs are not checked.
    private static func requireWhole(_ shards: [Shard?]) throws(RunnerError) {
        let given = shards.compactMap(\.self)
        guard let count = given.first?.count else { return }
        if let other = given.first(where: { $0.count != count }) {
            throw RunnerError(
                description: "The reports are of shards of different runs: \(given[0]) and \(other)."
            )
        }
        if given.count < shards.count {
            throw RunnerError(
                description: "The reports are of shards, such as \(given[0]), and of whole runs."
            )
        }
        let numbers = given.map(\.number)
        for number in 1...count where numbers.count(where: { $0 == number }) != 1 {
            let problem = numbers.contains(number) ? "given twice" : "missing"
            throw RunnerError(description: "The report of shard \(number)/\(count) is \(problem).")
        }
    }

    private mutating func append(_ log: RunLog) throws(RunnerError) {
        guard log.description.subject == description.subject else {
            let subjects = "\(description.subject) and \(log.description.subject)"
            throw RunnerError(description: "The reports are of different subjects: \(subjects).")
        }
        results += log.results
        baselineProblems += log.baselineProblems.filter { !baselineProblems.contains($0) }
        seconds = max(seconds, log.seconds)
    }

    /// Reports the run to reporters again, with the same events.
    public func replay(_ report: (RunEvent) -> Void) -> RunSummary {
        report(.runStarted(description))
        var summary = RunSummary()
        summary.hasReuse = description.transport != RunDescription.outside
        for result in results {
            summary.add(result)
            report(.scenarioFinished(result))
        }
        summary.baselineProblems = baselineProblems
        summary.seconds = seconds
        report(.runFinished(summary))
        return summary
    }
}

extension YAMLNode {
    fileprivate func text(_ key: String) -> String { value(of: key)?.scalarText ?? "" }

    fileprivate func unexpected(_ expected: String) -> YAMLProblems {
        YAMLProblems(self, expected: expected)
    }

    fileprivate func lines(_ key: String) -> [(name: String, value: String)] {
        (value(of: key)?.elements ?? []).compactMap { line in
            guard let parts = line.elements, parts.count == 2 else { return nil }
            return (parts[0].scalarText ?? "", parts[1].scalarText ?? "")
        }
    }
}

extension ScenarioResult {
    fileprivate init(_ event: YAMLNode) throws(YAMLProblems) {
        guard let level = RuleLevel(rawValue: event.text("level")),
            let kind = CacheKind(rawValue: event.text("cache")),
            !event.text("id").isEmpty
        else { throw event.unexpected("a result with id, level and cache") }
        let steps = (event.value(of: "steps")?.elements ?? []).map(StepRecord.init)
        guard let verdict = Verdict(event, steps.flatMap(\.mismatches)) else {
            throw event.unexpected("a result with a verdict")
        }
        self.init(
            id: event.text("id"),
            suite: event.text("suite"),
            area: event.text("area"),
            title: event.text("title"),
            level: level,
            cacheKind: kind,
            position: Position(
                file: event.text("file"),
                line: Int(event.text("line")) ?? 1,
                column: Int(event.text("column")) ?? 1
            ),
            verdict: verdict,
            seconds: Double(event.text("seconds")) ?? 0
        )
        self.steps = steps
        grounds = (event.value(of: "because")?.elements ?? []).compactMap(Citation.init)
        lateRuns = event.value(of: "late-runs")?.elements?.compactMap { Double($0.scalarText ?? "") } ?? []
        rules = event.value(of: "rules")?.elements?.compactMap(\.scalarText) ?? []
        baselineReason = event.value(of: "baseline")?.scalarText
        wire = event.text("wire")
        isSubjectLost = event.text("subject-lost") == "true"
        suiteClass = SuiteClass(rawValue: event.text("suite-class"))
    }
}

extension Citation {
    fileprivate init?(_ node: YAMLNode) {
        guard let keyword = RequirementKeyword(rawValue: node.text("keyword")) else { return nil }
        self.init(section: node.text("section"), keyword: keyword, sentence: node.text("sentence"))
    }
}

extension Verdict {
    fileprivate init?(_ event: YAMLNode, _ mismatches: [Mismatch]) {
        let reason = event.text("reason")
        switch event.text("verdict") {
        case "passed": self = .passed
        case "failed":
            let place = "\(event.text("file")):\(event.text("line")):\(event.text("column"))"
            let whole = Mismatch(position: place, subject: "expectation", expected: "to hold", seen: reason)
            self = .failed(mismatches.isEmpty ? [whole] : mismatches)
        case "skipped": self = .skipped(reason: reason)
        case "setup-failed": self = .setupFailed(reason)
        case "dependency-failed": self = .dependencyFailed(on: event.text("failed-dependency"))
        case "harness-error": self = .harnessError(reason)
        default: return nil
        }
    }
}

extension StepRecord {
    fileprivate init(_ step: YAMLNode) {
        self.init(
            number: Int(step.text("number")) ?? 0,
            title: step.text("title"),
            position: Position(file: step.text("file"), line: Int(step.text("line")) ?? 1, column: 1),
            startedAt: Double(step.text("at")) ?? 0
        )
        mismatches = (step.value(of: "mismatches")?.elements ?? []).map(Mismatch.init)
        exchanges = (step.value(of: "caller")?.elements ?? []).map(CallerExchange.init)
        arrivals = (step.value(of: "origin")?.elements ?? []).map(OriginExchange.init)
    }
}

extension CallerExchange {
    /// Creates an observation without the content, of which a report has only the size.
    fileprivate init(_ node: YAMLNode) {
        let request = node.value(of: "request") ?? node
        self.init(
            method: request.text("method"),
            target: request.text("target"),
            fields: request.lines("fields"),
            seen: CallerObservation(node)
        )
    }
}

extension OriginExchange {
    fileprivate init(_ node: YAMLNode) {
        var request = OriginObservation(
            method: node.text("method"),
            path: node.text("path"),
            query: node.value(of: "query")?.scalarText,
            fields: node.lines("fields")
        )
        request.connection = Int(node.text("connection")) ?? 0
        request.isReusedConnection = node.text("reused") == "true"
        request.isAborted = node.text("aborted") == "true"
        request.answeredStatus = Int(node.text("status"))
        self.init(request, answerFields: node.lines("answer-fields"))
        interimResponses = (node.value(of: "interim")?.elements ?? []).map(Interim.init)
    }
}

extension OriginExchange.Interim {
    fileprivate init(_ node: YAMLNode) {
        self.init(status: Int(node.text("status")) ?? 0, fields: node.lines("fields"))
    }
}

extension Mismatch {
    fileprivate init(_ node: YAMLNode) {
        self.init(
            position: node.text("at"),
            subject: node.text("subject"),
            expected: node.text("expected"),
            seen: node.text("seen")
        )
    }
}

extension CallerObservation {
    fileprivate init(_ node: YAMLNode) {
        self.init()
        status = Int(node.text("status"))
        fields = node.lines("fields")
        source = Provenance(rawValue: node.text("source"))
        isStale = node.value(of: "stale")?.scalarText.map { $0 == "true" }
        age = Double(node.text("age"))
        took = Double(node.text("took")) ?? 0
        if let failure = node.value(of: "error"), let code = Int(failure.text("code")) {
            error = (code, failure.text("text"))
        }
    }
}
