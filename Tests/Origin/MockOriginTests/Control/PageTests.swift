import CLibrary
import Clocks
import LocatedYAML
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite(
    "The page of the control API, in a browser",
    .enabled(if: Browser.path != nil, "Chromium is not installed"),
    .serialized,
    .timeLimit(.minutes(20)),
    .blocking
)
struct PageTests {
    private func page(_ server: ControlledServer, _ browser: Browser) throws {
        try browser.open("\(server.control.url)/#token=\(server.control.token)")
        try browser.wait(until: "document.getElementById('link').textContent === 'live'")
    }

    @Test("The page and its script come only from the server, and declare what they may load")
    func files() throws {
        let server = try ControlledServer()
        for (path, type) in [
            ("/", "html"), ("/page.css", "css"), ("/page.js", "javascript"), ("/base.js", "javascript"),
        ] {
            let client = try RawClient(port: server.control.port)
            try client.request("GET", path)
            let answer = try client.response()
            #expect(answer["Content-Type"] == "text/\(type); charset=utf-8")
            #expect(
                answer["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'") == true
            )
            #expect(!answer.text.contains("//cdn"))
            #expect(!answer.text.contains("innerHTML"))
        }
    }

    @Test("Without a token the page asks for one, and it does not stay in the address")
    func entry() throws {
        let server = try ControlledServer()
        let browser = try Browser()
        try browser.open(server.control.url)
        #expect(try browser.evaluate("document.getElementById('panel').hidden") == "true")
        _ = try browser.evaluate(
            "document.getElementById('token').value = 'wrong-token', document.querySelector('#entry button').click()"
        )
        try browser.wait(until: "!document.getElementById('entry').hidden")
        _ = try browser.evaluate("document.getElementById('token').value = '\(server.control.token)'")
        _ = try browser.evaluate("document.querySelector('#entry button').click()")
        try browser.wait(until: "document.getElementById('link').textContent === 'live'")
        try browser.open("\(server.control.url)/#token=\(server.control.token)")
        try browser.wait(until: "location.hash === ''")
        #expect(try browser.evaluate("location.href") == "\(server.control.url)/")
    }

    @Test("Exchanges appear as they happen, with both heads and their conditions")
    func exchanges() throws {
        let server = try ControlledServer()
        #expect(try server.ask("PUT", "/pages", #"{"/get":{"etag":"\"v1\""}}"#).status == 200)
        let browser = try Browser()
        try page(server, browser)
        _ = try server.get("/get?a=1", ["If-None-Match: \"v1\""])
        // The row exists as soon as the request does, and is completed when the response has been sent.
        try browser.wait(until: "document.querySelector('#exchanges tr.exchange')?.innerText.includes('304')")
        let row = try browser.evaluate("document.querySelector('#exchanges tr').innerText")
        #expect(row.contains("GET /get?a=1"))
        #expect(row.contains("page /get"))
        #expect(row.contains("If-None-Match: matches: not modified"))
        _ = try browser.evaluate("document.querySelector('#exchanges tr').click()")
        let heads = try browser.evaluate("document.querySelector('.heads').innerText")
        #expect(heads.contains("If-None-Match: \"v1\""))
        #expect(heads.contains("HTTP/1.1 304\nDate: Thu, 01 Jan 2026 00:00:00 GMT\nETag: \"v1\""))
    }

    @Test("An unmatched request is shown with its near misses")
    func nearest() throws {
        let server = try ControlledServer([
            Route(label: "users", path: .exact("/users"), methods: ["POST"], answers: [Answer()])
        ])
        let browser = try Browser()
        try page(server, browser)
        _ = try server.get("/users")
        try browser.wait(until: "document.querySelector('#exchanges tr.exchange')?.innerText.includes('405')")
        let row = try browser.evaluate("document.querySelector('#exchanges tr').innerText")
        #expect(row.contains("no match"))
        _ = try browser.evaluate("document.querySelector('#exchanges tr').click()")
        let heads = try browser.evaluate("document.querySelector('.heads').innerText")
        #expect(heads.contains("Near misses:\nusers: method is GET, expected POST"))
    }

    @Test("Buttons move the clock and release held responses")
    func time() throws {
        let server = try ControlledServer([
            Route(label: "late", path: .exact("/late"), answers: [.text("late") { $0.hold = .body }])
        ])
        let browser = try Browser()
        try page(server, browser)
        try browser.click("[data-advance='1h']")
        try browser.wait(until: "document.getElementById('now').textContent.includes('01:00:00')")
        #expect(server.clock.elapsed == .seconds(3600))
        let stalled = try RawClient(port: server.server.port)
        try stalled.request("GET", "/late")
        _ = try stalled.read(through: "\r\n\r\n")
        try browser.click("#release")
        #expect(try stalled.read(count: 4) == Array("late".utf8))
    }

    @Test("A route is added, changed and removed")
    func routes() throws {
        let server = try ControlledServer()
        let browser = try Browser()
        try page(server, browser)
        try browser.fill("route-text", #"{"label": "new", "path": "/new", "answer": {"body": "new"}}"#)
        try browser.click("#save")
        try browser.wait(until: "document.querySelectorAll('#routes tr').length === 1")
        #expect(try server.get("/new").text == "new")
        try browser.click("#routes tr:first-child button")
        try browser.fill("route-text", #"{"path": "/new", "answer": {"body": "changed"}}"#)
        try browser.click("#save")
        try browser.wait(until: "document.getElementById('save').textContent === 'Add'")
        #expect(try server.get("/new").text == "changed")
        try browser.click("#routes tr:first-child button:last-of-type")
        try browser.wait(until: "document.querySelectorAll('#routes tr').length === 0")
        #expect(try server.get("/new").status == 404)
    }

    @Test("The settings of a page are changed")
    func settings() throws {
        let server = try ControlledServer()
        let browser = try Browser()
        try page(server, browser)
        let area = "[aria-label='Settings of /get']"
        _ = try browser.evaluate(
            "window.edited = document.querySelector(\"\(area)\"), window.edited.value = 'status=418'"
        )
        _ = try browser.evaluate("window.edited.closest('tr').querySelector('button').click()")
        // A saved setting is displayed again.
        try browser.wait(until: "!window.edited.isConnected")
        #expect(try server.get("/get").status == 418)
    }

    @Test("Faults are set and removed, and wrong ones refused")
    func faults() throws {
        let server = try ControlledServer()
        let browser = try Browser()
        try page(server, browser)
        try browser.fill("fault-list", "reset@bdy")
        try browser.click("#faults button")
        try browser.wait(until: "document.getElementById('message').textContent.includes('found')")
        try browser.fill("fault-list", "status=503@before-head")
        try browser.click("#faults button")
        try browser.wait(until: "document.getElementById('message').hidden")
        #expect(try server.get("/post", method: "POST").status == 503)
        try browser.click("#no-faults")
        try browser.wait(until: "document.getElementById('fault-list').value === ''")
        #expect(try server.get("/get").status == 200)
    }

    @Test("A network is set and removed")
    func network() throws {
        let server = try ControlledServer()
        let browser = try Browser()
        try page(server, browser)
        let profile = "apple:lte for 5s, then apple:edge"
        try browser.fill("profile", profile)
        try browser.click("#network button")
        try browser.wait(until: "document.getElementById('network-now').textContent === '\(profile)'")
        try browser.click("#no-network")
        try browser.wait(
            until: "document.getElementById('network-now').textContent.startsWith('No conditions')"
        )
    }

    @Test("States are set, and a reset clears them and the exchanges")
    func states() throws {
        let server = try ControlledServer()
        let browser = try Browser()
        try page(server, browser)
        _ = try server.get("/get")
        try browser.wait(until: "document.querySelectorAll('#exchanges tr').length > 0")
        try browser.fill("machine", "session")
        try browser.fill("state-name", "open")
        try browser.click("#state button")
        try browser.wait(until: "document.getElementById('states').innerText === 'session: open'")
        try browser.click("#reset")
        try browser.wait(until: "document.getElementById('states').innerText.startsWith('Every')")
        try browser.wait(until: "document.querySelectorAll('#exchanges tr').length === 0")
    }

    @Test("Text from clients, routes and faults never becomes part of the page's markup")
    func text() throws {
        let server = try ControlledServer()
        let evil = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"
        let route = #"{"label":"\#(evil)","path":"/evil","answer":{"fields":{"X":"\#(evil)"}}}"#
        #expect(try server.ask("POST", "/routes", route).status == 201)
        #expect(try server.ask("PUT", "/states", #"{"\#(evil)":"\#(evil)"}"#).status == 200)
        let browser = try Browser()
        try page(server, browser)
        _ = try server.get("/<img/src=x>?q=<script>", ["X-Evil: \(evil)", "If-None-Match: \(evil)"])
        _ = try server.get(
            "/post",
            ["Content-Type: application/json"],
            method: "POST",
            body: #"{"a":"<img src=x>"}"#
        )
        try browser.wait(until: "document.querySelectorAll('#exchanges tr.exchange').length === 2")
        _ = try browser.evaluate(
            "document.querySelectorAll('#exchanges tr.exchange').forEach((row) => row.click())"
        )
        _ = try browser.evaluate("document.querySelector('#exchanges tr.exchange').click()")
        try browser.wait(until: "document.querySelectorAll('.heads').length > 0")
        #expect(try browser.evaluate("document.querySelectorAll('img, td script, pre *').length") == "0")
        #expect(try browser.evaluate("document.title") == "CacheCheck mock origin")
        #expect(try browser.evaluate("document.getElementById('routes').innerText").contains("onerror"))
    }

    @Test("A click shows the heads of one of six exchanges; a screenshot is taken if PAGE_SCREENSHOT is set")
    func picture() throws {
        let server = try ControlledServer([
            Route(label: "users", path: .exact("/users"), answers: [.text("late") { $0.hold = .body }]),
            Route(label: "order", path: .exact("/orders"), answers: [.text("[]") { $0.entityTag = .md5 }]),
        ])
        let pages = #"{"/get":{"etag":"\"v1\"","cache-control":"max-age=60"}}"#
        #expect(try server.ask("PUT", "/pages", pages).status == 200)
        let browser = try Browser()
        try page(server, browser)
        for lines in [[], ["If-None-Match: \"v1\""], ["If-None-Match: \"v0\""]] {
            _ = try server.get("/get", lines)
        }
        _ = try server.get("/nothing")
        _ = try server.get("/orders")
        let stalled = try RawClient(port: server.server.port)
        try stalled.request("GET", "/users")
        let seeded = #"{"faults":["truncate@body:1..9 chance=50%"],"seed":7}"#
        #expect(try server.ask("PUT", "/faults", seeded).status == 200)
        try browser.wait(until: "document.querySelectorAll('#exchanges tr.exchange').length === 6")
        _ = try browser.evaluate("document.querySelectorAll('#exchanges tr.exchange')[3].click()")
        #expect(try browser.evaluate("document.querySelectorAll('.heads').length") == "1")
        guard let path = getenv("PAGE_SCREENSHOT") else { return }
        try browser.screenshot(String(cString: path))
    }
}

extension Browser {
    /// Clicks the element of a selector.
    fileprivate func click(_ selector: String) throws {
        _ = try evaluate("document.querySelector(\"\(selector)\").click()")
    }

    /// Writes a text into the field with an id.
    fileprivate func fill(_ id: String, _ text: String) throws {
        _ = try evaluate("document.getElementById('\(id)').value = '\(text)'")
    }
}
