import JSON
import LocatedYAML
import ReportFormats

/// SARIF 2.1.0: a result for each finding, at its line of the policy, because code hosts refuse URLs as places.
struct AuditSARIF {
    let report: AuditReport
    /// The file of findings that have no place.
    let source: String

    var document: JSONValue {
        let isComplete = report.urls.allSatisfy { $0.failure == nil }
        let run = SARIF(rules: report.findings.map(\.rule) + (isComplete ? [] : [Self.notAudited]))
        return run.document(
            driver: [
                ("name", "cachecheck audit"), ("informationUri", "https://www.rfc-editor.org/rfc/rfc9111"),
            ],
            describe: description,
            results: results(run) + failures(run)
        )
    }

    /// The rule of URLs that could not be audited, so that code hosts group them.
    private static let notAudited = "not-audited"

    private func description(_ id: String) -> [(String, JSONValue)] {
        if id == Self.notAudited {
            return [("shortDescription", SARIF.text("a URL that could not be audited"))]
        }
        let rule = AuditRule.named(id)
        let sentence = rule.map { $0.requirement.isEmpty ? $0.title : $0.requirement } ?? id
        return [
            ("shortDescription", SARIF.text(rule?.title ?? id)),
            ("help", SARIF.text("\(rule?.section ?? ""): \(sentence)")),
            ("helpUri", .string(rule?.page ?? "https://www.rfc-editor.org/rfc/rfc9111")),
        ]
    }

    /// Returns the results; fingerprints are the same in each audit, regardless of the values in messages and made-up
    /// URLs.
    private func results(_ run: SARIF) -> [JSONValue] {
        let ofURLs = report.urls.flatMap { url in
            let name = NonexistentPage.steadyURL(of: url)
            return url.findings.filter(\.counts).map { result($0, run, fingerprint: "\($0.rule) \(name)") }
        }
        return ofURLs + report.policyFindings.map { result($0, run, fingerprint: "\($0.rule) \($0.message)") }
    }

    private func result(_ finding: AuditFinding, _ run: SARIF, fingerprint: String) -> JSONValue {
        let details = FindingText.details(finding).map { "\n" + $0 }.joined()
        let place = finding.place ?? Position(file: source)
        return .object(
            run.result(
                of: finding.rule,
                level(finding),
                "\(finding.url): \(finding.message)" + details,
                at: SARIF.location(place, url: finding.url),
                fingerprint: ("finding/v1", fingerprint)
            )
        )
    }

    private func failures(_ run: SARIF) -> [JSONValue] {
        report.urls.compactMap { result in
            guard let failure = result.failure else { return nil }
            return .object(
                run.result(
                    of: Self.notAudited,
                    "error",
                    "\(result.url) could not be audited: \(failure)",
                    at: SARIF.location(result.position ?? Position(file: source), url: result.url),
                    fingerprint: ("finding/v1", "not-audited \(result.url)")
                )
            )
        }
    }

    private func level(_ finding: AuditFinding) -> String {
        switch report.level(finding) {
        case .error: "error"
        case .warning: "warning"
        case .advice: "note"
        }
    }
}
