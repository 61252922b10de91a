import Testing
import TestSupport

@Suite("cachecheck fetch, as a user runs it", .timeLimit(.minutes(20)), .blocking)
struct FetchTests {
    @Test(
        "The method is that of -X, as with curl; without it, POST if there is content, otherwise GET",
        arguments: [
            ([], "GET"), (["-d", "a"], "POST"), (["-X", "GET", "-d", "a"], "GET"),
            (["-X", "PUT", "-d", "a"], "PUT"), (["-X", "DELETE"], "DELETE"),
        ] as [([String], String)]
    )
    func method(options: [String], method: String) throws {
        let server = ScriptedServer { _, head in
            let method = head.prefix { $0 != " " }
            return "HTTP/1.1 200 OK\r\nContent-Length: \(method.count)\r\n\r\n\(method)"
        }
        defer { server.stop() }
        let outcome = try Program().run(["fetch", server.url + "/x", "--body"] + options)
        #expect(outcome.status == 0)
        #expect(outcome.text.hasSuffix("\n\(method)\n"), "\(outcome.text)")
    }

    @Test("CONNECT, which names no resource, is refused")
    func connect() throws {
        let outcome = try Program().run(["fetch", "http://127.0.0.1:9/", "-X", "CONNECT"])
        #expect(outcome.status == 64)
        #expect(outcome.text.hasPrefix("Error: --method: found CONNECT, which opens a tunnel"))
    }

    @Test(
        "An invalid URL is a wrong command line, a redirect to one is a failed exchange",
        arguments: ["http://[::", "ftp://a.example/"]
    )
    func invalidURL(url: String) throws {
        #expect(try Program().run(["fetch", url]).status == 64)
        let server = ScriptedServer { _, _ in
            "HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n"
        }
        defer { server.stop() }
        let outcome = try Program().run(["fetch", server.url + "/"])
        #expect(outcome.status == 69, "\(outcome.text)")
    }
}
