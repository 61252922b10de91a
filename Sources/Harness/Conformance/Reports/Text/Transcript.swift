import CacheSemantics
import Scenarios

/// Lines that describe the events of a scenario, which several formats share.
enum Transcript {
    /// Returns all lines about a result that is not a plain pass.
    static func lines(of result: ScenarioResult) -> [String] {
        // A failure that does not fail the run is named as the last line of the report counts it.
        let word = result.standing == .noted ? "noted" : result.verdict.name
        var lines = ["\(word.uppercased()) \(result.name)  \(result.level.rawValue)"]
        lines.append("  \(result.title)")
        lines.append("  at \(result.position)")
        lines += result.grounds.map { "  \($0.section), \($0.keyword.rawValue): \"\($0.sentence)\"" }
        lines.append("  rules: " + result.rules.joined(separator: ", "))
        if let reason = result.baselineReason { lines.append("  the baseline expects a failure: \(reason)") }
        if result.verdict.mismatches.isEmpty, !result.verdict.reason.isEmpty {
            lines.append("  " + result.verdict.reason)
        }
        return lines
            + steps(toShow: result).flatMap { step in
                (self.lines(of: step) + explanation(of: step, in: result)).map { "  " + $0 }
            }
    }

    /// Returns the lines about an example of many failures: its title, its place, and the exchanges of the first step
    /// that failed.
    static func summary(of result: ScenarioResult) -> [String] {
        var lines = ["\(result.name): \(result.title)", "  at \(result.position)"]
        guard let step = result.steps.first(where: { !$0.mismatches.isEmpty }) else {
            return lines + ["  " + result.verdict.reason]
        }
        lines.append("  step \(step.number): \(step.title)")
        lines += step.mismatches.map { "    \(Verdict.sentence($0))" }
        lines += step.exchanges.flatMap { ["    caller"] + head(of: $0).map { "      " + $0 } }
        return lines + step.arrivals.flatMap { ["    origin"] + head(of: $0).map { "      " + $0 } }
    }

    /// Returns the lines of one step: mismatches, the exchanges at both ends, the findings.
    static func lines(of step: StepRecord) -> [String] {
        var lines = [
            "step \(step.number) at +\(secondsText(step.startedAt)): \(step.title)  (\(step.position))"
        ]
        for mismatch in step.mismatches {
            lines.append("  \(mismatch.subject): expected \(mismatch.expected), seen \(mismatch.seen)")
            lines.append("    at \(mismatch.position)")
        }
        if !step.course.isEmpty { lines.append("  course: " + course(of: step)) }
        lines += step.exchanges.flatMap { block("caller", head(of: $0)) }
        lines += step.arrivals.flatMap { block("origin, \(connection(of: $0.request))", head(of: $0)) }
        if step.arrivals.isEmpty, !step.exchanges.isEmpty { lines.append("  origin: no request arrived") }
        let findings = step.exchanges.flatMap(\.seen.findings).map { line(of: $0) }
        return findings.isEmpty ? lines : lines + block("findings", findings)
    }

    private static func block(_ title: String, _ lines: [String]) -> [String] {
        ["  " + title] + lines.map { "    " + $0 }
    }

    /// Returns the events of a step: `+0 s send a, +1 s end a`.
    static func course(of step: StepRecord) -> String {
        step.course.map { "+\(secondsText($0.at)) \(printable($0.what))" }.joined(separator: ", ")
    }

    /// Returns the explanation by the rules for a step that failed.
    static func explanation(of step: StepRecord, in result: ScenarioResult) -> [String] {
        guard let explanation = result.explanation(of: step) else { return [] }
        return ["  explanation of the origin's response"]
            + ExplanationText.lines(explanation).map { "    " + printable($0) }
    }

    /// Returns the heads of a request and its response as the caller saw them.
    static func head(of exchange: CallerExchange) -> [String] {
        let seen = exchange.seen
        var lines = ["> \(exchange.method) \(exchange.target)"] + fieldLines(exchange.fields, mark: ">")
        if let status = seen.status { lines.append("< \(status)\(outcome(of: seen))") }
        lines += fieldLines(seen.fields, mark: "<")
        if seen.status != nil { lines.append("< (\(seen.body.count) bytes)\(excerpt(seen.body))") }
        if let error = seen.error { lines.append("! \(error.code) \(error.text)") }
        return lines
    }

    /// Returns the heads of a request and its response as the origin recorded them.
    static func head(of exchange: OriginExchange) -> [String] {
        let request = exchange.request
        let query = request.query.map { "?" + $0 } ?? ""
        var lines = ["> \(request.method) \(request.path)\(query)"] + fieldLines(request.fields, mark: ">")
        for interim in exchange.interimResponses {
            lines += ["< \(interim.status)"] + fieldLines(interim.fields, mark: "<")
        }
        lines.append(request.answeredStatus.map { "< \($0)" } ?? "< (no response)")
        lines += fieldLines(exchange.answerFields, mark: "<")
        if request.isAborted { lines.append("! aborted by the client") }
        return lines
    }

    /// Returns a finding with its section: `RFC 9111 §4.2 held: age 60 s, lifetime 61 s (rfc9111.4.2.fresh)`.
    static func line(of finding: Finding) -> String {
        let id = finding.rule.rawValue
        return "\(section(of: id)) \(finding.held ? "held" : "did not hold"): \(finding.detail) (\(id))"
    }

    /// Returns the section of a rule, from its id: `rfc9111.4.2.fresh` is `RFC 9111 §4.2`.
    static func section(of rule: String) -> String {
        let parts = rule.split(separator: ".")
        guard let first = parts.first, first.hasPrefix("rfc") else {
            return Rule(rawValue: rule)?.section ?? "Documents, \(parts.first ?? "")"
        }
        let numbers = parts.dropFirst().prefix { $0.allSatisfy(\.isNumber) }
        let section = numbers.isEmpty ? "" : " §" + numbers.joined(separator: ".")
        return "RFC \(first.dropFirst(3))\(section)"
    }

    static func connection(of request: OriginObservation) -> String {
        "connection \(request.connection), \(request.isReusedConnection ? "reused" : "new")"
    }

    /// Returns the steps that matter for a verdict: those with mismatches, or all if there are none.
    private static func steps(toShow result: ScenarioResult) -> [StepRecord] {
        let blamed = result.steps.filter { !$0.mismatches.isEmpty }
        return blamed.isEmpty ? result.steps : blamed
    }

    private static func fieldLines(_ fields: [(name: String, value: String)], mark: String) -> [String] {
        fields.map { "\(mark) \($0.name): \(printable($0.value))" }
    }

    private static func outcome(of seen: CallerObservation) -> String {
        var words: [String] = []
        if let source = seen.source { words.append("from \(source.rawValue)") }
        if seen.isStale == true { words.append("stale") }
        if let age = seen.age { words.append("age \(secondsText(age))") }
        return words.isEmpty ? "" : "  (" + words.joined(separator: ", ") + ")"
    }

    private static func excerpt(_ body: [UInt8]) -> String {
        if body.isEmpty { return "" }
        let text = printable(String(decoding: body.prefix(60), as: UTF8.self))
        return " \(text)\(body.count > 60 ? "…" : "")"
    }

    /// Returns the text as `printable` does, line by line.
    static func printableLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }.joined(
            separator: "\n"
        )
    }

    /// Returns the text with visible control characters, so that no data breaks a line of a report.
    static func printable(_ text: String) -> String {
        let pieces = text.unicodeScalars.map { scalar in
            scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return pieces.joined()
    }
}
