import CacheSemantics
import JSON
import LocatedYAML
import Scenarios
import Testing
import TestSupport
import TextCodings

@testable import Conformance

@Suite("HTML report", .blocking)
struct HTMLPageTests {
    private static let page = SampleRun.report(.html)

    /// Returns the sample run with so many more scenarios that its data is compressed.
    static func longPage(_ count: Int = 400) -> String {
        var reporter = ReportKind.html.reporter()
        var summary = RunSummary()
        let more = (0..<count).map { number in
            SampleRun.result(
                "http/more/s/\(number)",
                "Number \(number)",
                .passed,
                steps: SampleRun.results[1].steps
            )
        }
        let events = (SampleRun.results + more).map { result in
            summary.add(result)
            return RunEvent.scenarioFinished(result)
        }
        return ([SampleRun.events[0]] + events + [.runFinished(summary)]).map { reporter.text(for: $0) }
            .joined()
    }

    @Test(
        "The page has the groups of failures without a script, with links to the section and to each scenario",
        arguments: [
            "<h2>Failures <small>5 in 4 groups</small></h2>",
            "<a href=\"https://www.rfc-editor.org/rfc/rfc9111#section-4.2\">RFC 9111 §4.2</a>",
            "<a href=\"#scenario=http/4.2.1/max-age/boundary/private\">",
            "<a href=\"#area=http/4.3&amp;status=all\">",
        ]
    )
    func groups(part: String) {
        #expect(Self.page.contains(part), "\(Self.page)")
    }

    @Test("A run without failures has no groups")
    func passes() {
        #expect(HTMLGroups(catalogue: .standard).section([SampleRun.results[0]]) == "")
    }

    @Test("Short data is readable, long data is gzip in Base64, and neither can end its element early")
    func data() throws {
        let short = HTMLData.element(["text": "</script><b>"])
        #expect(short.contains("\\u003c/script>\\u003cb>"))
        #expect(!short.dropLast("</script>".count).contains("</script"))
        let long = HTMLData.element(.string(String(repeating: "</script>", count: 10_000)))
        let encoded = try #require(long.split(separator: ">").dropFirst().first?.split(separator: "<").first)
        #expect(Base64.decode(encoded)?.prefix(2) == [0x1F, 0x8B])
        #expect(long.utf8.count < 2000)
    }

    @Test("An anchor encodes what a fragment cannot contain")
    func anchor() {
        let result = SampleRun.result("a/b c&d/é#1", "t", .passed, kind: .shared)
        #expect(HTMLScenario.fragment(of: result) == "a/b%20c%26d/%C3%A9%231/shared")
    }

    @Test("The page names no other file that it would load")
    func selfContained() {
        for part in ["src=", "<link", "@import", "url("] { #expect(!Self.longPage().contains(part)) }
    }
}

@Suite(
    "HTML reports in a browser",
    .enabled(if: Browser.path != nil, "Chromium is not installed"),
    .serialized,
    .timeLimit(.minutes(20)),
    .blocking
)
struct HTMLBrowserTests {
    private let folder: TestFolder
    private let browser: Browser

    init() throws {
        folder = try TestFolder([
            "long.html": HTMLPageTests.longPage(), "short.html": SampleRun.report(.html),
        ])
        browser = try Browser()
    }

    private func open(_ file: String) throws {
        // A change of the fragment alone loads nothing.
        try browser.open("about:blank")
        try browser.open("file://\(folder.path)/\(file)")
        try browser.wait(
            until: "document.getElementById('count').textContent.includes('scenarios are shown')"
        )
    }

    @Test("Compressed data is shown: at first what neither passed nor was skipped")
    func compressed() throws {
        try open("long.html")
        let count = try browser.evaluate("document.getElementById('count').textContent")
        #expect(count == "7 of 409 scenarios are shown.")
        #expect(try browser.evaluate("document.querySelectorAll('details.scenario').length") == "409")
    }

    @Test("A link to a scenario opens it, with its exchanges and rules, whatever is chosen")
    func anchor() throws {
        try open("long.html#scenario=http/4.2.1/max-age/reused/private")
        let text = "document.querySelector('details.scenario[open]').innerText"
        try browser.wait(until: "\(text).includes('RFC 9111 §4.2: A response is fresh while')")
        #expect(try browser.evaluate(text).contains("GET /a"))
    }

    @Test("Filters are in the URL, and come from it")
    func state() throws {
        try open("short.html#find=urlcache&status=failed,skipped")
        let shown = "[...document.querySelectorAll('details.scenario')].filter(d => !d.hidden).length"
        #expect(try browser.evaluate(shown) == "2")
        _ = try browser.evaluate("document.querySelector(\"input[value='skipped']\").click()")
        try browser.wait(until: "location.hash === '#find=urlcache&status=failed'")
        #expect(try browser.evaluate(shown) == "1")
    }

    @Test("Filters offer failures first, and levels from must to check, whatever comes first in the run")
    func order() throws {
        try open("short.html")
        let values =
            "[...document.querySelectorAll('#choices input[type=checkbox]')].map(box => box.value).join()"
        let expected =
            "failed,broken,unexpected-pass,noted,expected-failure,passed,skipped,must,optimal,private,shared"
        try browser.wait(until: "\(values) === '\(expected)'")
    }

    @Test("Text from servers and scenarios never becomes markup")
    func escaped() throws {
        try open("short.html#status=all&scenario=http/4.2.1/max-age/boundary/private")
        let title = try browser.evaluate("document.querySelector('details.scenario[open] .title').innerHTML")
        #expect(title == "Age 60 is stale &amp; \"59\" is &lt;fresh&gt;")
        #expect(try browser.evaluate("document.querySelectorAll('fresh, none').length") == "0")
    }

    @Test("At the width of a phone, only figures and tables scroll sideways")
    func phone() throws {
        let file = "short.html#scenario=http/4.2.1/max-age/boundary/private"
        let frame = "<iframe src=\"\(file)\" style=\"width:390px;height:800px;border:0\"></iframe>"
        // A local file may not look into another, so the page measures itself.
        let script = "<script>addEventListener('message', (e) => { document.title = e.data; });</script>"
        let probe =
            "<script>setTimeout(() => parent.postMessage(`${document.documentElement.scrollWidth}`, '*'), 300)</script>"
        try folder.write("frame.html", script + frame)
        try folder.write("short.html", SampleRun.report(.html) + probe)
        try browser.open("file://\(folder.path)/frame.html")
        try browser.wait(until: "document.title !== ''")
        let width = try browser.evaluate("document.title")
        #expect(Int(width).map { $0 <= 390 } == true, "\(width)")
    }

    @Test("The site of a matrix shows an area's scenarios, which lead to the pages of the subjects")
    func site() throws {
        var (first, second) = (MatrixEntry(name: "one 1.0"), MatrixEntry(name: "two"))
        first.results = [SampleRun.results[0], SampleRun.results[1]]
        second.results = [SampleRun.results[0]]
        let site = MatrixSite(Matrix([first, second]), date: "2026-01-01")
        try folder.write("index.html", site.index)
        try browser.open("file://\(folder.path)/index.html#area=http/4.2.1")
        try browser.wait(until: "document.querySelectorAll('tr.scenario').length === 1")
        #expect(try browser.evaluate("document.querySelector('#areas tr').innerText").contains("1 of 2"))
        #expect(
            try browser.evaluate("document.querySelector('tr.scenario a').getAttribute('href')")
                == "one-1.0.html#scenario=http/4.2.1/max-age/boundary/private"
        )
        _ = try browser.evaluate("document.getElementById('notable').click()")
        try browser.wait(until: "document.querySelectorAll('tr.scenario').length === 2")
        try browser.wait(until: "location.hash.includes('all=1')")
    }
}

@Suite("Site of a matrix", .blocking)
struct MatrixSiteTests {
    @Test(
        "A subject's file has letters, digits, points and hyphens",
        arguments: [
            ("nginx 1.22.1", "nginx-1.22.1.html"), ("built-in client 0.1.0", "built-in-client-0.1.0.html"),
            ("../../etc/passwd", "..-..-etc-passwd.html"), ("é", "subject.html"),
        ]
    )
    func file(name: String, expected: String) {
        #expect(MatrixSite.file(of: name) == expected)
    }

    @Test("Subjects that were not run are listed with the reason")
    func absent() {
        var entry = MatrixEntry(name: "varnish")
        entry.obstacle = "it is not installed"
        #expect(
            MatrixSite(Matrix([entry]), date: "2026-01-01").index.contains("varnish: it is not installed")
        )
    }
}
