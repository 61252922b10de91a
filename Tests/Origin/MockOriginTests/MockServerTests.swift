import Clocks
import HTTPServing
import MockOrigin
import Testing
import TestSupport

@Suite("The documents' pages, mockserver.*", .timeLimit(.minutes(20)), .blocking)
struct MockServerTests {
    private let clock = VirtualClock(wallSeconds: MockServerFixture.begin)

    private func start(_ change: (inout MockServer.Configuration) -> Void = { _ in }) throws -> MockServer {
        var configuration = MockServer.Configuration()
        change(&configuration)
        let server = MockServer(configuration, clock: clock)
        try server.start()
        return server
    }

    private func ask(_ server: MockServer, _ method: String, _ target: String, body: String = "") throws
        -> RawResponse
    {
        let client = try RawClient(port: server.port)
        let type = body.isEmpty ? [] : ["Content-Type: application/x-www-form-urlencoded"]
        try client.request(method, target, type, body: body)
        return try client.response(toHead: method == "HEAD")
    }

    @Test(
        "Each page has its type and its bytes, chunked, and no field that affects caches",
        arguments: [
            ("GET", "/get", "application/json", #"{"data":"GET Method","status":"Success"}"#),
            ("GET", "/%67et", "application/json", #"{"data":"GET Method","status":"Success"}"#),
            ("POST", "/post", "application/json", #"{"data":"POST Method","status":"Success"}"#),
            (
                "GET", "/fetchMockData", "application/json",
                #"{"status":"success","data":[{"id":1,"name":"one"},{"id":2,"name":"two"}]}"#
            ),
        ]
    )
    func pages(method: String, target: String, type: String, body: String) throws {
        let server = try start()
        let response = try ask(server, method, target, body: method == "POST" ? "a=1" : "")
        #expect(response.status == 200)
        #expect(response.fields.map(\.name) == ["Date", "Content-Type", "Transfer-Encoding"])
        #expect(response["Content-Type"] == type)
        #expect(response.text == body)
    }

    @Test("The image is a JPEG, and with format=png a PNG; its length is sent on request")
    func images() throws {
        let server = try start()
        let jpeg = try ask(server, "GET", "/image")
        #expect(jpeg["Content-Type"] == "image/jpeg")
        #expect(jpeg.body.prefix(3) == [0xFF, 0xD8, 0xFF])
        let png = try ask(server, "GET", "/image?format=png&framing=length")
        #expect(png["Content-Type"] == "image/png")
        #expect(png["Content-Length"] == "\(png.body.count)")
        #expect(png.body.prefix(4) == [137, 80, 78, 71])
    }

    @Test(
        "A request that no page matches gets the appropriate status",
        arguments: [
            ("GET", "/other", 404), ("GET", "/api/getter", 404), ("GET", "/get/post", 404),
            ("GET", "/get%zz", 400),
            ("GET", "/none?u=/get", 404), ("POST", "/get", 405), ("GET", "/post", 405),
            ("GET", "/get?status=1", 400),
            ("GET", "/-/unknown/a", 404), ("GET", "/", 200), ("POST", "/journal", 405),
            ("GET", "/get?a=b", 200), ("GET", "http://a/get", 200), ("GET", "http:///get", 400),
            ("GET", "http://user@a/get", 400), ("CONNECT", "a.example:443", 501),
        ]
    )
    func statuses(method: String, target: String, status: Int) throws {
        let server = try start()
        #expect(try ask(server, method, target).status == status)
    }

    @Test("A method that is not allowed gets the allowed ones")
    func allow() throws {
        let server = try start()
        #expect(try ask(server, "DELETE", "/get")["Allow"] == "GET, HEAD")
        #expect(try ask(server, "GET", "/post")["Allow"] == "POST")
    }

    @Test("HEAD has GET's fields and leaves the connection ready")
    func head() throws {
        let server = try start()
        let client = try RawClient(port: server.port)
        try client.request("HEAD", "/get?framing=length")
        let head = try client.response(toHead: true)
        #expect(head["Content-Length"] == "40")
        try client.request("GET", "/get")
        #expect(try client.response().status == 200)
    }

    @Test("Settings of the configuration apply unless the query overrides them")
    func configured() throws {
        let server = try start { configuration in
            configuration.site.pages = ["/get": [PageSetting(name: "cache-control", value: "max-age=60")]]
        }
        #expect(try ask(server, "GET", "/get")["Cache-Control"] == "max-age=60")
        #expect(try ask(server, "GET", "/get?cache-control=no-store")["Cache-Control"] == "no-store")
    }

    @Test("The Date of a prepared page moves with the clock")
    func date() throws {
        let server = try start()
        let client = try RawClient(port: server.port)
        try client.request("GET", "/get")
        #expect(try client.response()["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
        clock.advance(by: .seconds(61))
        try client.request("GET", "/get")
        #expect(try client.response()["Date"] == "Thu, 01 Jan 2026 00:01:01 GMT")
    }

    @Test("The journal has every request in order with its response")
    func journal() throws {
        let server = try start()
        let client = try RawClient(port: server.port)
        try client.request("GET", "/get", ["X-A: 1"])
        _ = try client.response()
        try client.request(
            "POST",
            "/post",
            ["Content-Type: application/x-www-form-urlencoded"],
            body: "b=x+y"
        )
        _ = try client.response()
        try client.request("GET", "/image?status=404")
        _ = try client.response()
        let entries = server.journal()
        #expect(entries.map(\.request.target) == ["/get", "/post", "/image?status=404"])
        #expect(entries.map(\.status) == [200, 200, 404])
        #expect(entries[0].request.fields.map(\.name) == ["Host", "X-A"])
        #expect(entries.map(\.request.requestsBefore) == [0, 1, 2])
        #expect(RequestContent(entries[1].request) == .form([.init("b", ["x y"])]))
    }

    @Test("The journal keeps the last exchanges and is readable as JSON")
    func journalSize() throws {
        let server = try start { $0.journalSize = 2 }
        for number in 1...3 { _ = try ask(server, "GET", "/get?n=\(number)") }
        #expect(server.journal().map(\.number) == [2, 3])
        let json = try ask(server, "GET", "/journal").text
        #expect(json.contains(#""target":"/get?n=3""#))
        #expect(!json.contains(#""target":"/get?n=1""#))
    }

    @Test("A journal of size zero stays empty")
    func noJournal() throws {
        let server = try start { $0.journalSize = 0 }
        #expect(try ask(server, "GET", "/get").status == 200)
        #expect(try ask(server, "GET", "/get?x=1").status == 200)
        #expect(server.journal().isEmpty)
    }

    @Test("Large JSON and multipart content is checked as a whole, although not all of it is kept")
    func largeContent() throws {
        let server = try start()
        let client = try RawClient(port: server.port)
        let text = String(repeating: "x", count: 100_000)
        let part =
            "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.jpg\"\r\n\r\n\(text)\r\n--B--\r\n"
        for (type, body) in [
            ("application/json", "\"\(text)\""), ("application/json", "\"\(text)"),
            ("multipart/form-data; boundary=B", part),
        ] {
            try client.request("POST", "/post", ["Content-Type: \(type)"], body: body)
            _ = try client.response()
        }
        let contents = server.journal().map(\.content)
        try #require(contents.count == 3)
        #expect(contents[0] == .other)
        #expect(contents[1] == .malformed("The content is not JSON."))
        guard case .parts(let parts) = contents[2] else {
            Issue.record("no parts: \(contents[2])")
            return
        }
        #expect(parts.map(\.fileName) == ["a.jpg"])
        #expect(parts.map(\.contentCount) == [100_000])
        #expect(parts.map(\.body.count) == [65_536])
        #expect(try ask(server, "GET", "/journal").text.contains(#""contentCut":true"#))
    }

    @Test("A POST is answered only after its whole content has arrived")
    func wholeContent() throws {
        let server = try start()
        let client = try RawClient(port: server.port)
        try client.request("POST", "/post", ["Content-Length: 10"])
        try client.send("12345")
        #expect(server.journal().isEmpty)
        try client.send("67890")
        #expect(try client.response().status == 200)
        #expect(server.journal().map(\.contentCount) == [10])
    }
}
