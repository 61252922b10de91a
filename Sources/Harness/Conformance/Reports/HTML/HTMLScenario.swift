import CacheSemantics
import JSON
import LocatedYAML
import ReportFormats
import Scenarios

/// One scenario on a page.
struct HTMLScenario {
    let catalogue: RuleCatalogue

    /// Returns the values that the script needs for a row, and the markup that it shows below when the row is opened.
    ///
    /// In this order: id, title, status, mark, level, kind of cache, number of the area, rules, markup.
    func value(_ result: ScenarioResult, area: Int) -> JSONValue {
        .array([
            .string(result.id), .string(result.title), .string(result.standing.rawValue),
            .string(Self.mark(result)), .string(result.level.rawValue), .string(result.cacheKind.rawValue),
            .integer(area), JSONValue(result.rules), .string(details(result)),
        ])
    }

    /// Returns the markup that is shown when a row is opened.
    func details(_ result: ScenarioResult) -> String {
        """
        <p class="where"><a href="#scenario=\(Self.fragment(of: result))"><code>\(Markup.text(result.id))</code></a> · \
        <code>\(Markup.text("\(result.position)"))</code></p>
        <ul class="rules">\(result.grounds.map(HTMLRule.item).joined())\(result.rules.map { HTMLRule.item($0, in: catalogue) }.joined())</ul>
        \(Self.reason(result))\(HTMLTimeline.figure(result))\
        \(result.steps.map { Self.step($0, of: result) }.joined(separator: "\n"))\(Self.wire(result))
        """
    }

    /// Returns the value of `scenario` in the fragment of a URL: the id and the kind of cache, `http/4.2/a/b/shared`.
    static func fragment(of result: ScenarioResult) -> String {
        let allowed = Set("-._~/:@".utf8)
        let bytes = "\(result.id)/\(result.cacheKind.rawValue)".utf8
        return bytes.map { byte in
            let character = UnicodeScalar(byte)
            let isPlain = byte < 0x80 && (Character(character).isLetter || Character(character).isNumber)
            return isPlain || allowed.contains(byte)
                ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static func mark(_ result: ScenarioResult) -> String {
        switch result.standing {
        case .passed: "✓"
        case .failed: "✗ \(result.verdict.name)"
        case .expectedFailure: "expected failure"
        case .unexpectedPass: "✗ unexpected pass"
        case .noted: "noted"
        case .skipped: "skipped"
        case .broken: "✗ harness-error"
        }
    }

    private static func reason(_ result: ScenarioResult) -> String {
        var reasons: [String] = []
        if let reason = result.baselineReason { reasons.append("The baseline expects a failure: \(reason)") }
        if let former = result.concurrentVerdict {
            reasons.append("Failed only when run concurrently: \(former.reason)")
        }
        if result.verdict.mismatches.isEmpty, !result.verdict.reason.isEmpty {
            reasons.append(result.verdict.reason)
        }
        return reasons.map { "<p class=\"reason\">\(Markup.text($0))</p>\n" }.joined()
    }

    private static func wire(_ result: ScenarioResult) -> String {
        guard result.standing.failsRun, !result.wire.isEmpty else { return "" }
        let text = Markup.text(Transcript.printableLines(result.wire))
        return
            "<details class=\"wire\"><summary>bytes on the connections</summary><pre>\(text)</pre></details>"
    }

    private static func step(_ step: StepRecord, of result: ScenarioResult) -> String {
        let isBlamed = !step.mismatches.isEmpty
        let exchanges = step.exchanges.map(caller) + step.arrivals.map(origin)
        let silence =
            step.arrivals.isEmpty && !step.exchanges.isEmpty
            ? "<div class=\"exchange none\"><h4>origin</h4>no request arrived</div>" : ""
        let heads =
            exchanges.isEmpty ? "" : "<div class=\"exchanges\">\(exchanges.joined())\(silence)</div>\n"
        return """
            <div class="step\(isBlamed ? " blamed" : "")">
            <h3><b>\(step.number)</b> \(Markup.text(step.title)) <small>+\(secondsText(step.startedAt)), \
            line \(step.position.line)</small></h3>
            \(mismatches(step))\(course(step))\(heads)\(findings(step))\(explanation(step, of: result))</div>
            """
    }

    private static func explanation(_ step: StepRecord, of result: ScenarioResult) -> String {
        let lines = Transcript.explanation(of: step, in: result)
        guard let title = lines.first else { return "" }
        return "<div class=\"exchanges\">\(head(title, Array(lines.dropFirst())))</div>\n"
    }

    private static func mismatches(_ step: StepRecord) -> String {
        if step.mismatches.isEmpty { return "" }
        let rows = step.mismatches.map { mismatch in
            """
            <tr><th>\(Markup.text(mismatch.subject))<br><small>\(Markup.text(mismatch.position))</small></th>\
            <td>\(Markup.text(mismatch.expected))</td><td>\(Markup.text(mismatch.seen))</td></tr>
            """
        }
        return """
            <table class="mismatches"><thead><tr><th></th><th>expected</th><th>seen</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table>

            """
    }

    private static func course(_ step: StepRecord) -> String {
        step.course.isEmpty ? "" : "<p class=\"reason\">\(Markup.text(Transcript.course(of: step)))</p>\n"
    }

    private static func caller(_ exchange: CallerExchange) -> String {
        head("caller", Transcript.head(of: exchange))
    }

    private static func origin(_ exchange: OriginExchange) -> String {
        head("origin, \(Transcript.connection(of: exchange.request))", Transcript.head(of: exchange))
    }

    private static func head(_ title: String, _ lines: [String]) -> String {
        let text = Markup.text(lines.joined(separator: "\n"))
        return "<div class=\"exchange\"><h4>\(Markup.text(title))</h4><pre>\(text)</pre></div>"
    }

    private static func findings(_ step: StepRecord) -> String {
        let findings = step.exchanges.flatMap(\.seen.findings)
        if findings.isEmpty { return "" }
        let items = findings.map { finding in
            """
            <li class="\(finding.held ? "held" : "not-held")"><b>\(Markup.text(Transcript.section(of: finding.rule.rawValue)))</b> \
            \(finding.held ? "held" : "did not hold"): \(Markup.text(finding.detail)) <code>\(Markup.text(finding.rule.rawValue))</code></li>
            """
        }
        return "<ol class=\"findings\">\n\(items.joined(separator: "\n"))\n</ol>\n"
    }
}
