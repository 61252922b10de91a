import CacheGateway
import CLibrary
import Clocks
import ControlServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite(
    "The gateway's page, in a browser",
    .enabled(if: Browser.path != nil, "Chromium is not installed"),
    .serialized,
    .timeLimit(.minutes(20)),
    .blocking
)
struct GatewayPageTests {
    private let fixture: GatewayFixture
    private let control: GatewayControl
    private let browser: Browser

    init() throws {
        let evil = Answer.fresh("x") { $0.entityTag = .literal("\"<img src=x>\"") }
        fixture = try GatewayFixture(
            [Route(label: "1", path: .any, answers: [evil])],
            clock: MovableClock(following: SystemClock())
        )
        control = GatewayControl(of: fixture.gateway, ControlServer.Configuration())
        try control.start()
        browser = try Browser()
        try browser.emulate(width: 1300, height: 900, isDark: false)
    }

    private func open() throws {
        try browser.open("\(control.url)/#token=\(control.token)")
        try browser.wait(until: "!document.getElementById('stored').hidden")
    }

    private func click(_ selector: String) throws {
        try browser.wait(until: "!isBusy")
        _ = try browser.evaluate("document.querySelector(\"\(selector)\").click()")
    }

    @Test("It shows each stored response with the freshness that is left, which advancing the clock uses up")
    func bars() throws {
        for path in ["/1", "/2", "/2"] { _ = try fixture.ask("GET", path) }
        try open()
        try browser.wait(until: "document.querySelectorAll('.entry [role=meter]').length === 2")
        #expect(try browser.evaluate("document.querySelector('#count-hits dd').textContent") == "1")
        try click("[data-advance='1h']")
        try browser.wait(
            until: "[...document.querySelectorAll('.left')].every((e) => e.textContent.startsWith('stale'))"
        )
        #expect(try browser.evaluate("document.querySelectorAll('img').length") == "0")
        #expect(try browser.evaluate("location.hash") == "")
    }

    @Test("Its buttons purge one URL, and all")
    func purging() throws {
        for path in ["/1", "/2", "/3"] { _ = try fixture.ask("GET", path) }
        try open()
        try browser.wait(until: "document.querySelectorAll('.entry').length === 3")
        try click(".entry button")
        try browser.wait(until: "document.querySelectorAll('.entry').length === 2")
        #expect(fixture.gateway.entryCount == 2)
        try click("#purge-all")
        try browser.wait(until: "document.querySelector('.nothing')")
        #expect(fixture.gateway.entryCount == 0)
    }

    @Test("Without a valid token it asks for one")
    func entry() throws {
        try browser.open("\(control.url)/")
        try browser.wait(until: "!document.getElementById('entry').hidden")
        #expect(try browser.evaluate("document.getElementById('stored').hidden") == "true")
        let type = "document.getElementById('token').value = '\(control.token)'"
        _ = try browser.evaluate("\(type), document.getElementById('entry').requestSubmit()")
        try browser.wait(until: "!document.getElementById('stored').hidden")
    }

    @Test("Nothing is wider than the window, and every control has a name", arguments: [390, 1300])
    func layout(width: Int) throws {
        try browser.emulate(width: width, height: 844, isDark: width == 390)
        _ = try fixture.ask("GET", "/" + String(repeating: "long", count: 60))
        try open()
        try browser.wait(until: "document.querySelectorAll('.entry').length === 1")
        #expect(try browser.evaluate("document.documentElement.scrollWidth <= \(width)") == "true")
        let unnamed = """
            [...document.querySelectorAll('button, input')].filter((e) => e.offsetParent && \
            !(e.textContent.trim() || e.ariaLabel || e.labels?.length)).length
            """
        #expect(try browser.evaluate(unnamed) == "0")
        if let folder = getenv("LAB_SCREENSHOTS").map({ String(cString: $0) }) {
            try browser.screenshot("\(folder)/gateway-\(width).png")
        }
    }
}
