@testable import MockOrigin
import Testing
import TestSupport

@Suite("Pages outside namespaces", .timeLimit(.minutes(20)), .blocking)
struct IndexPageTests {
    @Test(
        "A browser gets / as HTML with links to pages and examples, other clients as text, even after many requests"
    )
    func html() throws {
        let server = try ControlledServer()
        for _ in 0..<3 {
            let text = try server.get("/")
            #expect(text["Content-Type"] == "text/plain; charset=utf-8")
            #expect(text["Vary"] == "Accept")
            let page = try server.get("/", ["Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"])
            #expect(page["Content-Type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("<a href=\"/get\"><code>GET /get</code></a> a JSON object"))
            #expect(
                page.text.contains("<a href=\"/get?cache-control=max-age%3D60\"><code>max-age=60</code></a>")
            )
        }
    }

    @Test("Every example of the page is a valid setting", arguments: PageSetting.names)
    func examples(name: String) throws {
        // An example may delay the response, and a virtual clock would stand still.
        let server = try ControlledServer(serverClock: { _ in SystemClock() })
        let page = try server.get("/", ["Accept: text/html"]).text
        let start = try #require(page.firstRange(of: "?\(name)=")).lowerBound
        let quote = try #require(page[..<start].lastIndex(of: "\""))
        let target = page[page.index(after: quote)...].prefix { $0 != "\"" }
        let client = try RawClient(port: server.server.port)
        try client.request("GET", String(target))
        // Faults may break the response off.
        let status = try? client.response().status
        #expect(status != 400, "\(target)")
    }

    @Test(
        "A misspelled setting is reported in a field; other parameters are not",
        arguments: [
            ("cache-contol=max-age%3D60", "cache-contol; did you mean cache-control?"),
            ("stauts=404", "stauts; did you mean status?"),
            ("last+modified=file", "last?modified; did you mean last-modified?"),
            ("page=2", nil), ("q=x", nil), ("cache-control=max-age%3D60", nil),
        ]
    )
    func misspelled(query: String, expected: String?) throws {
        let answer = try ControlledServer().get("/get?" + query)
        #expect(answer.status == 200)
        #expect(answer["X-CacheCheck-Unknown-Setting"] == expected)
    }
}
