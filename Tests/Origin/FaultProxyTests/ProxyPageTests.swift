import CLibrary
import ControlServing
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite(
    "The page of the proxy's control API, in a browser",
    .enabled(if: Browser.path != nil, "Chromium is not installed"),
    .serialized,
    .timeLimit(.minutes(20)),
    .blocking
)
struct ProxyPageTests {
    private static let token = "proxying-token"

    private static func configuration() throws -> ControlServer.Configuration {
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken(token))
        return configuration
    }

    private static func answer(_ connection: ServerConnection) {
        while connection.readHead() != nil {
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nbody")
        }
    }

    /// A proxy with its API, and a browser with the page of it.
    private struct Stage {
        let proxy: ProxyStage
        let control: ProxyControl
        let browser: Browser

        init(_ faults: String = "") throws {
            proxy = try ProxyStage(
                faults,
                configure: { $0.keepsJournal = true },
                origin: ProxyPageTests.answer
            )
            control = ProxyControl(of: proxy.proxy, try ProxyPageTests.configuration())
            try control.start()
            browser = try Browser()
            try browser.open("\(control.url)/#token=\(ProxyPageTests.token)")
            try browser.wait(until: "document.getElementById('link').textContent === 'live'")
        }

        func status(_ path: String) throws -> Int? {
            let client = try proxy.client()
            try client.request("GET", path)
            return try? client.response().status
        }

        /// Sends a request, opens its row and chooses the delay for the next one like it.
        func chooseDelay() throws {
            #expect(try status("/a") == 200)
            try browser.wait(until: "document.querySelectorAll('#exchanges tr.exchange').length === 1")
            _ = try browser.evaluate("document.querySelector('#exchanges tr.exchange').click()")
            _ = try browser.evaluate("document.querySelector('.next select').selectedIndex = 3")
        }

        func stop() {
            control.stop()
            proxy.stop()
        }
    }

    @Test("The page has the sections that the API has operations for, and the proxy's name")
    func sections() throws {
        let stage = try Stage()
        defer { stage.stop() }
        #expect(try stage.browser.evaluate("document.title") == "CacheCheck proxy")
        let shown = try stage.browser.evaluate(
            "[...document.querySelectorAll('section')].filter((one) => !one.hidden).map((one) => one.querySelector('h2').textContent).join()"
        )
        #expect(shown == "Faults,Network,Rules,Exchanges")
        let columns = try stage.browser.evaluate(
            "[...document.querySelectorAll('#exchange-columns th')].map((one) => one.textContent).join()"
        )
        #expect(columns == "No.,At,Request,Status,Rule,Milliseconds")
        #expect(
            try stage.browser.evaluate("document.querySelectorAll('#profiles option').length > 80") == "true"
        )
    }

    @Test("An exchange appears with what was injected and where, and with both heads")
    func exchanges() throws {
        let stage = try Stage("close@body:2 path=/cut")
        defer { stage.stop() }
        #expect(try stage.status("/cut?a=1") == nil)
        try stage.browser.wait(
            until: "document.querySelector('#exchanges tr.exchange')?.innerText.includes('close@body:2')"
        )
        _ = try stage.browser.evaluate("document.querySelector('#exchanges tr.exchange').click()")
        let heads = try stage.browser.evaluate("document.querySelector('.heads').innerText")
        #expect(heads.contains("GET /cut?a=1 HTTP/1.1\nHost: "))
        #expect(heads.contains("HTTP/1.1 200\nContent-Type: text/plain"))
        #expect(heads.contains("fault: close@body:2"))
        #expect(heads.contains("ended: close"))
    }

    @Test(
        "The next request like a selected one fails as chosen, and the one after it passes",
        arguments: [("503", 503), ("reset before the response", nil)]
    )
    func failNext(_ choice: String, _ status: Int?) throws {
        let stage = try Stage()
        defer { stage.stop() }
        #expect(try stage.status("/a?b=c") == 200)
        try stage.browser.wait(until: "document.querySelector('#exchanges tr.exchange') !== null")
        // With the keyboard alone: Enter opens the selected row.
        _ = try stage.browser.evaluate(
            "document.querySelector('#exchanges tr.exchange').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}))"
        )
        _ = try stage.browser.evaluate(
            "(() => { const choice = document.querySelector('.next select'); choice.value = [...choice.options].find((one) => one.text === '\(choice)').value; })()"
        )
        _ = try stage.browser.evaluate("document.querySelector('.next button').click()")
        try stage.browser.wait(until: "document.querySelectorAll('#routes tr').length === 1")
        let button = "document.querySelector('.next button').textContent"
        try stage.browser.wait(until: "\(button) === 'The next one fails'")
        #expect(try [stage.status("/other"), stage.status("/a"), stage.status("/a")] == [200, status, 200])
        try stage.browser.wait(until: "\(button) === 'Fail next'")
    }

    @Test("An exchange that changes keeps what was chosen for the next one, and what its button says")
    func changed() throws {
        let stage = try Stage()
        defer { stage.stop() }
        try stage.chooseDelay()
        // Draws the row again, as when the exchange changes; whether it is still the same.
        let change = """
            (() => {
                const old = document.querySelector('.next');
                const [key, one] = [...exchanges][0];
                noteExchange({...one, id: undefined, number: key});
                drawExchanges();
                return old === document.querySelector('.next');
            })()
            """
        #expect(try stage.browser.evaluate(change) == "false")
        #expect(try stage.browser.evaluate("document.querySelector('.next select').selectedIndex") == "3")
        _ = try stage.browser.evaluate("document.querySelector('.next button').click()")
        #expect(try stage.browser.evaluate(change) == "false")
        try stage.browser.wait(
            until: "document.querySelector('.next button').textContent === 'The next one fails'"
        )
        #expect(try stage.browser.evaluate(change) == "false")
        #expect(
            try stage.browser.evaluate("document.querySelector('.next button').textContent")
                == "The next one fails"
        )
    }

    @Test("What was selected for the next request stays selected while others come")
    func selected() throws {
        let stage = try Stage()
        defer { stage.stop() }
        try stage.chooseDelay()
        #expect(try stage.status("/b") == 200)
        try stage.browser.wait(until: "document.querySelectorAll('#exchanges tr.exchange').length === 2")
        #expect(
            try stage.browser.evaluate("document.querySelector('.next select').selectedOptions[0].text")
                == "delay of 5 seconds"
        )
    }

    @Test("A reset removes the rules by which one request was to fail, and no other")
    func resets() throws {
        let stage = try Stage()
        defer { stage.stop() }
        #expect(try stage.status("/a") == 200)
        try stage.browser.wait(until: "document.querySelector('#exchanges tr.exchange') !== null")
        _ = try stage.browser.evaluate("document.querySelector('#exchanges tr.exchange').click()")
        _ = try stage.browser.evaluate("document.querySelector('.next button').click()")
        try stage.browser.wait(until: "document.querySelectorAll('#routes tr').length === 1")
        _ = try stage.browser.evaluate(
            "document.getElementById('route-text').value = '{\"path\": \"/r\", \"label\": \"next-page\", \"answer\": {\"status\": 418}}', document.getElementById('save').click()"
        )
        try stage.browser.wait(until: "document.querySelectorAll('#routes tr').length === 2")
        #expect(try stage.status("/a") == 503)
        _ = try stage.browser.evaluate("document.getElementById('reset').click()")
        try stage.browser.wait(until: "document.querySelectorAll('#routes tr').length === 1")
        #expect(try [stage.status("/a"), stage.status("/r")] == [200, 418])
    }

    @Test("Held responses are released, and rules are added by the page")
    func controls() throws {
        let stage = try Stage("stall@before-head path=/held")
        defer { stage.stop() }
        let client = try stage.proxy.client()
        try client.request("GET", "/held")
        try stage.browser.wait(
            until: "document.querySelector('#exchanges tr.exchange')?.innerText.includes('stall@before-head')"
        )
        _ = try stage.browser.evaluate("document.getElementById('release').click()")
        #expect(try client.response().text == "body")
        _ = try stage.browser.evaluate(
            "document.getElementById('route-text').value = '{\"path\": \"/r\", \"answer\": {\"status\": 418}}', document.getElementById('save').click()"
        )
        try stage.browser.wait(until: "document.querySelectorAll('#routes tr').length === 1")
        #expect(try stage.status("/r") == 418)
    }

    @Test("One of several proxies is chosen")
    func group() throws {
        let origin = ScriptedServer(Self.answer)
        defer { origin.stop() }
        let upstream = "http://127.0.0.1:\(origin.port)"
        let text =
            "proxies:\n  - {name: a, listen: 0, upstream: '\(upstream)'}\n  - {name: b, listen: 0, upstream: '\(upstream)'}\n"
        let folder = try TestFolder()
        let path = try folder.write("proxies.yaml", text)
        var own = ProxyGroup.Configuration()
        own.keepsJournal = true
        let group = ProxyGroup(path: path, own)
        try group.start(try ProxyFile.decode(text, path: path), text: text)
        defer { group.stop() }
        let control = try #require(ProxyControl(of: group, try Self.configuration()))
        try control.start()
        defer { control.stop() }
        let browser = try Browser()
        try browser.open("\(control.url)/#token=\(Self.token)")
        try browser.wait(until: "document.getElementById('link').textContent === 'live'")
        let client = try RawClient(port: try #require(group.running.last).address.port)
        try client.request("GET", "/of-b")
        #expect(try client.response().status == 200)
        _ = try browser.evaluate(
            "(() => { const choice = document.getElementById('proxy'); choice.value = 'b'; choice.dispatchEvent(new Event('change')); })()"
        )
        try browser.wait(
            until: "document.querySelector('#exchanges tr.exchange')?.innerText.includes('/of-b')"
        )
    }

    @Test(
        "Nothing is wider than the window; screenshots are taken if PAGE_SCREENSHOTS names a folder",
        arguments: [(360, false), (360, true), (1280, false), (1280, true)]
    )
    func windows(_ width: Int, _ isDark: Bool) throws {
        let stage = try Stage("reset@body:2 path=/cut; delay=1ms@head path=/a")
        defer { stage.stop() }
        try stage.browser.emulate(width: width, height: 900, isDark: isDark)
        for path in ["/a", "/cut", "/a-rather-long-path/of/a/resource?with=a&rather=long&query=string", "/b"]
        {
            _ = try stage.status(path)
        }
        try stage.browser.wait(until: "document.querySelectorAll('#exchanges tr.exchange').length === 4")
        _ = try stage.browser.evaluate("document.querySelectorAll('#exchanges tr.exchange')[2].click()")
        #expect(try stage.browser.evaluate("document.documentElement.scrollWidth <= innerWidth") == "true")
        guard let folder = getenv("PAGE_SCREENSHOTS") else { return }
        try stage.browser.screenshot(
            "\(String(cString: folder))/proxy-\(width)-\(isDark ? "dark" : "light").png"
        )
    }
}
