import CacheSemantics
import LocatedYAML
import Scenarios

/// The part of the page about one scenario.
enum HTMLScenario {
    static func details(_ result: ScenarioResult) -> String {
        let standing = result.standing
        let isOpen = standing.failsRun ? " open" : ""
        return """
            <details class="scenario \(standing.rawValue)"\(isOpen) data-find="\(searchText(result))">
            <summary><span class="mark">\(mark(result))</span><span class="title">\(Markup.text(result.title))</span>\
            <span class="chip">\(result.level.rawValue)</span><span class="chip">\(result.cacheKind.rawValue)</span></summary>
            <p class="where"><code>\(Markup.text(result.id))</code> · <code>\(Markup.text("\(result.position)"))</code></p>
            <p class="rules">\(result.rules.map(rule).joined(separator: " "))</p>
            \(reason(result))\(HTMLTimeline.figure(result))\(result.steps.map { step($0, of: result) }.joined(separator: "\n"))\(wire(result))
            </details>
            """
    }

    private static func searchText(_ result: ScenarioResult) -> String {
        Markup.attribute(([result.name, result.title] + result.rules).joined(separator: " ").lowercased())
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

    private static func rule(_ id: String) -> String {
        "<code class=\"rule\" title=\"\(Markup.attribute(Transcript.section(of: id)))\">\(Markup.text(id))</code>"
    }

    private static func reason(_ result: ScenarioResult) -> String {
        var text = ""
        if let reason = result.baselineReason {
            text += "<p class=\"reason\">The baseline expects a failure: \(Markup.text(reason))</p>\n"
        }
        if result.verdict.mismatches.isEmpty, !result.verdict.reason.isEmpty {
            text += "<p class=\"reason\">\(Markup.text(result.verdict.reason))</p>\n"
        }
        return text
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
