import CacheSemantics
import HTTPArchive
import HTTPTypes
import LocatedYAML
import TestSupport
import Testing

@testable import Audit

@Suite("The corpus of archives, fixtures/archives")
struct ArchiveCorpusTests {
    /// An archive and what its log says about it.
    struct RecordedVisit: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let uses: [String]
        let finds: [String]
        var testDescription: String { name }

        init?(_ file: String) {
            guard file.hasSuffix(".har"),
                let text = try? String(readingFile: RecordedVisit.folder + "/" + file),
                let log = try? YAMLNode.parse(json: text, file: file, size: .archive).value(of: "log")
            else { return nil }
            name = String(file.dropLast(4))
            self.text = text
            uses = (log.value(of: "_uses")?.elements ?? []).compactMap(\.scalarText)
            finds = (log.value(of: "_finds")?.elements ?? []).compactMap(\.scalarText)
        }

        static let folder = packageFolder + "/fixtures/archives"

        var review: CacheReview {
            get throws { CacheReview(try HTTPArchive(json: text, file: name + ".har"), targets: []) }
        }
    }

    static let recordings = ((try? files(below: RecordedVisit.folder, suffix: ".har")) ?? []).compactMap {
        RecordedVisit($0)
    }

    /// Returns a use as the archives write it: entry, source, verdict, the entry that stored it, and avoidable bytes.
    private func text(_ use: RecordedUse) -> String {
        let word = use.source == .serviceWorker ? "serviceWorker" : use.source.key
        let bytes = use.verdict == .avoidable ? [String(use.avoidableBytes)] : []
        let stored = use.stored.map { [String($0)] } ?? []
        return ([String(use.entry), word, use.verdict.rawValue] + stored + bytes).joined(separator: " ")
    }

    @Test("Each use of a cache gets its verdict, and each defect its finding", arguments: recordings)
    func judged(_ recording: RecordedVisit) throws {
        let review = try recording.review
        #expect(review.uses.map(text) == recording.uses, "\(review.uses.map(\.line))")
        #expect(review.findings.map(\.rule) == recording.finds, "\(review.findings.map(\.message))")
    }

    @Test("Each rule about archives is violated by one of them")
    func complete() {
        let found = Set(Self.recordings.flatMap(\.finds))
        #expect(found == Set(AuditRule.ofRecorded.map(\.id)))
        #expect(Self.recordings.contains { $0.finds.isEmpty })
    }

    static let evidenceRows: [(fields: [String: String], source: RecordedSource)] = [
        ([:], .network),
        (["Age": "0"], .network),
        (["Age": "5"], .shared(evidence: "Age: 5")),
        (["Age": "five"], .network),
        (["Cache-Status": "a; fwd=miss, b; hit"], .shared(evidence: "Cache-Status: b; hit")),
        (["Cache-Status": "a; fwd=miss, b; fwd=stale", "Age": "9"], .network),
        (["Cache-Status": "a; hit=?0"], .network),
        (["X-Cache": "MISS, HIT"], .shared(evidence: "X-Cache: HIT")),
        (["X-Cache": "Miss from cloudfront"], .network),
        (["X-Cache": "TCP_MEM_HIT from a12"], .shared(evidence: "X-Cache: TCP_MEM_HIT from a12")),
        (["X-Cache": "TCP_REFRESH_HIT"], .network),
        (["X-Cache-Status": "STALE"], .shared(evidence: "X-Cache-Status: STALE")),
        (["CF-Cache-Status": "DYNAMIC", "Age": "7"], .network),
    ]

    @Test("A shared cache is recognised by what it sends", arguments: evidenceRows)
    func evidence(_ row: (fields: [String: String], source: RecordedSource)) throws {
        let lines = row.fields.map { "{\"name\": \"\($0.key)\", \"value\": \"\($0.value)\"}" }
        let text = """
            {"log": {"entries": [{"startedDateTime": "2026-09-21T12:00:00Z",
              "request": {"method": "GET", "url": "https://site.example/"},
              "response": {"status": 200, "headers": [\(lines.joined(separator: ","))]}}]}}
            """
        let archive = try HTTPArchive(json: text, file: "a.har")
        #expect(try ArchivedExchange(archive.entries[0], number: 1).source == row.source)
    }

    @Test("Entries are judged in the order in which they began, whatever their order in the file")
    func order() throws {
        let recording = try #require(Self.recordings.first { $0.name == "chromium-fresh" })
        let archive = try HTTPArchive(json: recording.text, file: "a.har")
        let lines = recording.text.split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex { $0.contains("startedDateTime") })
        var swapped = lines
        let trimmed = lines[first].hasSuffix(",") ? String(lines[first].dropLast()) : lines[first]
        (swapped[first], swapped[first + 1]) = (lines[first + 1] + ",", trimmed)
        let other = try HTTPArchive(json: swapped.joined(separator: "\n"), file: "a.har")
        #expect(CacheReview(archive, targets: []).uses.map(\.entry) == [1, 2])
        let review = CacheReview(other, targets: [])
        #expect(review.uses.map(\.entry) == [2, 1])
        #expect(review.uses.map(\.stored) == [nil, 2])
    }

    @Test("Reports have the uses and put findings at the entry's place in the archive")
    func report() throws {
        let recording = try #require(Self.recordings.first { $0.name == "chromium-stale" })
        let archive = try HTTPArchive(json: recording.text, file: "a.har")
        var audit = ArchiveAudit(AuditSettings())
        audit.add(archive)
        audit.addUses(of: archive)
        let report = audit.report
        #expect(report.uses.map(\.verdict) == [.needed, .forbidden])
        let finding = try #require(report.findings.first { $0.rule == "stale-reuse" })
        #expect(finding.position?.line == archive.entries[1].node.position.line)
        #expect(report.totalsOfUses?.contains("1 forbidden") == true)
        let text = AuditReportKind.text.text(of: report, source: "a.har")
        #expect(text.contains("entry 2 from the browser's cache, stored by entry 1: forbidden"))
        #expect(AuditReportKind.markdown.text(of: report, source: "a.har").contains("forbidden"))
        #expect(AuditReportKind.json.text(of: report, source: "a.har").contains("\"verdict\": \"forbidden\""))
    }
}
