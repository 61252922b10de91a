import Conformance
import JSON
import LocatedYAML

/// SARIF 2.1.0: a result for each finding, at its line of the policy, because code hosts refuse URLs as places.
struct AuditSARIF {
    let report: AuditReport
    /// The file of findings that have no place.
    let source: String

    var document: JSONValue {
        let ids = ruleIDs
        return SARIF.document(
            driver: [
                ("name", "cachecheck audit"), ("informationUri", "https://www.rfc-editor.org/rfc/rfc9111"),
                ("rules", .array(ids.map(rule) + (failures.isEmpty ? [] : [Self.notAudited]))),
            ],
            results: results(ids) + failures
        )
    }

    private var ruleIDs: [String] {
        var seen: Set<String> = []
        return report.findings.map(\.rule).filter { seen.insert($0).inserted }
    }

    private func rule(_ id: String) -> JSONValue {
        let rule = AuditRule.named(id)
        let sentence = rule.map { $0.requirement.isEmpty ? $0.title : $0.requirement } ?? id
        return .object([
            ("id", .string(id)), ("shortDescription", SARIF.text(rule?.title ?? id)),
            ("help", SARIF.text("\(rule?.section ?? ""): \(sentence)")),
            ("helpUri", .string(rule?.page ?? "https://www.rfc-editor.org/rfc/rfc9111")),
        ])
    }

    /// Fingerprints are the same in each audit, whatever values messages and made-up URLs have.
    private func results(_ ids: [String]) -> [JSONValue] {
        let ofURLs = report.urls.flatMap { url in
            let name = MadeUpPage.steadyURL(of: url)
            return url.findings.filter(\.counts).map { result($0, ids, fingerprint: "\($0.rule) \(name)") }
        }
        return ofURLs + report.policyFindings.map { result($0, ids, fingerprint: "\($0.rule) \($0.message)") }
    }

    private func result(_ finding: AuditFinding, _ ids: [String], fingerprint: String) -> JSONValue {
        let place = finding.place ?? Position(file: source)
        let details = FindingText.details(finding).map { "\n" + $0 }.joined()
        return .object([
            ("ruleId", .string(finding.rule)),
            ("ruleIndex", .integer(ids.firstIndex(of: finding.rule) ?? -1)),
            ("level", .string(level(finding))),
            ("message", SARIF.text("\(finding.url): \(finding.message)" + details)),
            ("locations", .array([location(place, finding.url)])),
            ("partialFingerprints", .object([("finding/v1", .string(fingerprint))])),
        ])
    }

    private var failures: [JSONValue] {
        report.urls.compactMap { result in
            result.failure.map { failure in
                .object([
                    ("ruleId", "not-audited"), ("ruleIndex", .integer(ruleIDs.count)), ("level", "error"),
                    ("message", SARIF.text("\(result.url) could not be audited: \(failure)")),
                    ("locations", .array([location(Position(file: source), result.url)])),
                    ("partialFingerprints", .object([("finding/v1", .string("not-audited \(result.url)"))])),
                ])
            }
        }
    }

    /// The rule of URLs that could not be audited, so that code hosts group them.
    private static let notAudited: JSONValue = .object([
        ("id", "not-audited"),
        ("shortDescription", SARIF.text("a URL that could not be audited")),
    ])

    private func level(_ finding: AuditFinding) -> String {
        switch report.level(finding) {
        case .error: "error"
        case .warning: "warning"
        case .advice: "note"
        }
    }

    private func location(_ place: Position, _ url: String) -> JSONValue {
        let physical = SARIF.physicalLocation(in: place.file, (place.line, place.column))
        let logical: JSONValue = .object([("fullyQualifiedName", .string(url)), ("kind", "resource")])
        return .object([physical, ("logicalLocations", .array([logical]))])
    }
}
