import CLibrary
import TestSupport
import Testing

@testable import Lab

@Suite(
    "The lab's page, in a browser",
    .enabled(if: Browser.path != nil, "Chromium is not installed"),
    .serialized,
    .timeLimit(.minutes(20)),
    .blocking
)
struct LabPageTests {
    private let lab: LabUnderTest
    private let browser: Browser

    init() throws {
        lab = try LabUnderTest()
        browser = try Browser()
        try browser.emulate(width: 1300, height: 1000, isDark: false)
    }

    private func open(_ fragment: String = "") throws {
        try browser.open("\(lab.control.url)/\(fragment.isEmpty ? "" : "#\(fragment)")")
        try browser.wait(until: "document.querySelectorAll('#lesson-list button').length === 10 && !isBusy")
    }

    private func click(_ selector: String) throws {
        _ = try browser.evaluate("document.querySelector(\"\(selector)\").click()")
        try browser.wait(until: "!isBusy")
    }

    @Test("Every lesson passes when it is followed in the page")
    func lessons() throws {
        try browser.open("\(lab.control.url)/#selftest")
        try browser.wait(until: "document.body.dataset.selftest")
        #expect(try browser.evaluate("document.body.dataset.selftest").hasPrefix("passed "))
    }

    @Test("A request shows bars, verdicts, reasons with their sections, fields and the command for curl")
    func request() throws {
        try open()
        try click("[data-request='get ada']")
        #expect(try browser.evaluate("document.querySelectorAll('.entry [role=meter]').length") == "2")
        #expect(
            try browser.evaluate("document.querySelector('#ada .verdict').textContent")
                == "Forwards the request. Stores the response."
        )
        let events = try browser.evaluate("document.getElementById('events').textContent")
        #expect(events.contains("RFC 9111 §3"))
        #expect(events.contains("Cache-Control: max-age=60"))
        #expect(try browser.evaluate("document.getElementById('command').textContent").contains("curl -i"))
        #expect(
            try browser.evaluate("document.getElementById('live').textContent").contains("from the origin")
        )
    }

    @Test("Keys do what the buttons do, but not while somebody types")
    func keys() throws {
        try open()
        let press =
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'c', bubbles: true}))"
        _ = try browser.evaluate("document.getElementById('fields').focus()")
        _ = try browser.evaluate(press)
        _ = try browser.evaluate("document.activeElement.blur()")
        try browser.wait(until: "!isBusy")
        #expect(try browser.evaluate("state.origin.version") == "1")
        _ = try browser.evaluate(press)
        try browser.wait(until: "!isBusy && state.origin.version === 2")
    }

    @Test("A link repeats what was done, with the clock stopped")
    func link() throws {
        try open()
        try click("[data-request='get ada']")
        try click("[data-act='advance 1h']")
        let fragment = try browser.evaluate("location.hash.slice(1)")
        try browser.open("about:blank")
        try open(fragment)
        #expect(try browser.evaluate("state.running") == "false")
        #expect(try browser.evaluate("state.caches[0].entries[0].age") == "3600")
    }

    @Test("A link to a step of a lesson leads there")
    func lessonLink() throws {
        try open("lesson=vary&step=2")
        #expect(try browser.evaluate("document.getElementById('lesson-title').textContent") == "Vary")
        #expect(try browser.evaluate("document.querySelectorAll('#steps .shows').length") == "2")
        #expect(try browser.evaluate("document.querySelectorAll('#gateway .entry').length") == "2")
    }

    @Test("The settings of the origin are edited, and wrong ones refused with the reason")
    func settings() throws {
        try open()
        let submit = "document.getElementById('respond').requestSubmit()"
        _ = try browser.evaluate(
            "document.getElementById('fields').value = 'Cache-Control: no-store', \(submit)"
        )
        try browser.wait(until: "!isBusy && state.origin.respond.includes('no-store')")
        _ = try browser.evaluate("document.getElementById('fields').value = 'nonsense', \(submit)")
        try browser.wait(until: "!isBusy && !document.getElementById('message').hidden")
        #expect(
            try browser.evaluate("document.getElementById('message').textContent").contains(
                "found \"nonsense\""
            )
        )
    }

    @Test("Nothing is wider than the window, and every control has a name", arguments: [400, 800, 1300])
    func layout(width: Int) throws {
        try browser.emulate(width: width, height: 900, isDark: width == 400)
        try open("lesson=cdn&step=2")
        #expect(try browser.evaluate("document.documentElement.scrollWidth <= \(width)") == "true")
        let unnamed = """
            [...document.querySelectorAll('button, input, select, textarea')].filter((e) => e.offsetParent && \
            !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).length
            """
        #expect(try browser.evaluate(unnamed) == "0")
    }

    @Test("Text is readable on its background in both colour schemes", arguments: [false, true])
    func contrast(isDark: Bool) throws {
        try browser.emulate(width: 1300, height: 1000, isDark: isDark)
        try open("lesson=no-store&step=2")
        #expect(try browser.evaluate(Self.lowContrast) == "")
    }

    /// Returns the texts whose contrast with their background is below 4.5:1 (WCAG 2.2 §1.4.3).
    private static let lowContrast = """
        (() => {
          const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const rgb = (color) => {
            canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data];
          };
          const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
            .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          const ground = (e) => {
            for (; e; e = e.parentElement) {
              const color = rgb(getComputedStyle(e).backgroundColor);
              if (color[3] === 255) return color;
            }
            return [255, 255, 255];
          };
          const poor = [...document.querySelectorAll("body *")].filter((e) => e.offsetParent && !e.disabled
            && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())).filter((e) => {
              const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))].sort((x, y) => y - x);
              return (a + 0.05) / (b + 0.05) < 4.5;
            });
          return poor.map((e) => e.textContent.slice(0, 40)).join("; ");
        })()
        """

    @Test("Text of a request never becomes markup")
    func markup() throws {
        try open()
        let evil = "X-Evil: <img src=x onerror=document.title='owned'>"
        _ = try browser.evaluate("document.getElementById('request-fields').value = \"\(evil)\"")
        try click("[data-request='get ada']")
        #expect(try browser.evaluate("document.querySelectorAll('img').length") == "0")
        #expect(try browser.evaluate("document.title") == "Caching lab")
        #expect(try browser.evaluate("document.getElementById('events').textContent").contains("onerror"))
    }

    @Test(
        "A stale response fits into the window; screenshots are taken if LAB_SCREENSHOTS names a folder",
        arguments: [(1300, false), (1300, true), (400, false), (400, true)]
    )
    func pictures(_ width: Int, _ isDark: Bool) throws {
        try browser.emulate(width: width, height: 1000, isDark: isDark)
        try open("lesson=stale-while-revalidate&step=3")
        #expect(try browser.evaluate("document.documentElement.scrollWidth <= \(width)") == "true")
        guard let folder = getenv("LAB_SCREENSHOTS") else { return }
        try browser.screenshot(
            "\(String(cString: folder))/lab-\(width)-\(isDark ? "dark" : "light").png"
        )
    }
}
