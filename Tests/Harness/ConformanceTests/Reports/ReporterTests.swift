import Conformance
import Testing

@Suite("Reports")
struct ReporterTests {
    @Test("each format equals its golden file", arguments: ReportKind.allCases)
    func golden(kind: ReportKind) {
        Golden.expect(SampleRun.report(kind), equals: "sample.\(kind.rawValue)")
    }

    @Test("--explain adds the findings of passing scenarios to the text report")
    func explains() {
        let text = SampleRun.report(.text, explains: true)
        #expect(text.contains("RFC 9111 §4.2 held: age 59 s, lifetime 60 s from max-age (rfc9111.4.2.fresh)"))
        #expect(!SampleRun.report(.text).contains("age 59 s, lifetime 60 s"))
    }

    @Test("no line of a report contains a control character", arguments: ReportKind.allCases)
    func control(kind: ReportKind) {
        #expect(!SampleRun.report(kind).unicodeScalars.contains("\u{1}"))
    }

    @Test("JUnit's counts equal the numbers of its elements")
    func junitCounts() {
        let xml = SampleRun.report(.junit)
        #expect(
            xml.contains(
                "<testsuites name=\"cachecheck\" tests=\"10\" failures=\"3\" errors=\"3\" skipped=\"3\""
            )
        )
        #expect(xml.split(separator: "<failure ").count - 1 == 3)
        #expect(xml.split(separator: "<error ").count - 1 == 3)
        #expect(xml.split(separator: "<skipped ").count - 1 == 3)
    }

    @Test("TAP numbers its points from 1 to the plan")
    func tapPlan() {
        let lines = SampleRun.report(.tap).split(separator: "\n")
        let points = lines.filter { $0.hasPrefix("ok ") || $0.hasPrefix("not ok ") }
        #expect(points.count == 10)
        #expect(lines.contains("1..10"))
    }
}
