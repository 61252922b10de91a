import MockOrigin
import TestSupport
import Testing

@testable import Audit

@Suite("The corpus of sites, fixtures/audit", .timeLimit(.minutes(20)))
struct CorpusTests {
    /// A site and what its first lines say about it: the rules, each with its level if that is not the usual one.
    struct Site: Sendable, CustomTestStringConvertible {
        let name: String
        let path: String
        let finds: [String]
        var testDescription: String { name }

        init?(_ file: String) {
            guard file.hasSuffix(".yaml"), let text = try? String(readingFile: Site.folder + "/" + file)
            else { return nil }
            let lines = text.split(separator: "\n")
            guard let audit = lines.first(where: { $0.hasPrefix("# audit: ") }),
                let finds = lines.first(where: { $0.hasPrefix("# finds: ") })
            else { return nil }
            name = String(file.dropLast(5))
            path = String(audit.dropFirst(9))
            let words = finds.dropFirst(9).split(separator: " ").map(String.init)
            self.finds = words == ["nothing"] ? [] : words.sorted()
        }

        static let folder = packageFolder + "/fixtures/audit"
    }

    static let sites = ((try? files(below: Site.folder, suffix: ".yaml")) ?? []).compactMap { Site($0) }

    @Test("An audit finds the defect of each site, and nothing else", arguments: sites)
    func defect(_ site: Site) async throws {
        let server = try MockServer.started()
        defer { server.stop() }
        try server.follow(SiteSource(files: [Site.folder + "/" + site.name + ".yaml"]))
        let report = try await audit([server.url + site.path])
        let found = Set(report.findings.map(Self.name)).sorted()
        #expect(found == site.finds, "\(report.findings.map(\.message))")
        #expect(report.urls.allSatisfy { $0.failure == nil })
    }

    /// Returns the rule of a finding, as the first lines of a site name it.
    private static func name(of finding: AuditFinding) -> String {
        let isUsual = finding.severity == AuditRule.named(finding.rule)?.severity
        return isUsual ? finding.rule : "\(finding.rule)=\(finding.severity.rawValue)"
    }

    @Test("The corpus has 60 sites with defects and 12 without")
    func size() {
        #expect(Self.sites.filter { !$0.finds.isEmpty }.count >= 60)
        #expect(Self.sites.filter(\.finds.isEmpty).count >= 12)
    }
}
