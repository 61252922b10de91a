import Clocks
import HTTPServing
import MockOrigin
import OriginScript
import Testing
import TestSupport

/// A page of the documents' server and its expected response.
struct PageRow: Sendable, CustomTestStringConvertible {
    var method = "GET"
    var path: String
    var contentType: String
    var body: String

    var testDescription: String { "\(method) \(path)" }

    static let all = [
        PageRow(
            path: "/get",
            contentType: "application/json",
            body: #"{"data":"GET Method","status":"Success"}"#
        ),
        PageRow(
            method: "POST",
            path: "/post",
            contentType: "application/json",
            body: #"{"data":"POST Method","status":"Success"}"#
        ),
    ]
}

@Suite("The documents' server, as intended", .timeLimit(.minutes(20)), .blocking)
struct DocumentRuleTests {
    private let server: MockServer

    init() throws {
        var configuration = MockServer.Configuration()
        // One thread handles requests in the order of their arrival.
        configuration.server.threads = 1
        server = MockServer(configuration, clock: VirtualClock(wallSeconds: MockServerFixture.begin))
        try server.start()
    }

    /// Sends one request on a separate connection.
    private func exchange(
        _ method: String = "GET",
        _ target: String,
        _ lines: [String] = [],
        body: String = ""
    ) throws -> RawResponse {
        let client = try RawClient(port: server.port)
        try client.request(method, target, lines, body: body)
        return try client.response(toHead: method == "HEAD")
    }

    @Test(
        "/get and /post answer the documents' JSON, byte for byte",
        .checks("mockserver.get-json", "mockserver.post-json"),
        arguments: PageRow.all
    )
    func json(row: PageRow) throws {
        defer { server.stop() }
        let form = ["Content-Type: application/x-www-form-urlencoded"]
        let response = try exchange(
            row.method,
            row.path,
            row.method == "POST" ? form : [],
            body: row.formBody
        )
        #expect(response.status == 200)
        #expect(response["Content-Type"] == row.contentType)
        #expect(response.text == row.body)
    }

    @Test("/get, /post and /image answer 200", .checks("mockserver.three-endpoints"))
    func threeEndpoints() throws {
        defer { server.stop() }
        #expect(try exchange("GET", "/get").status == 200)
        #expect(try exchange("POST", "/post", body: "a=1").status == 200)
        #expect(try exchange("GET", "/image").status == 200)
    }

    @Test(
        "A form in two pieces is parsed as a map, a repeated name as a list, a plus sign as a space",
        .checks("mockserver.post-form-parsing")
    )
    func formParsing() throws {
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.send(
            "POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 36\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\nusername=Castie%2"
        )
        try client.send("1&a=1&a=2&b=x+y&c=&")
        #expect(try client.response().status == 200)
        let entry = try #require(server.journal().last)
        let expected = RequestContent.form([
            RequestContent.FormField("username", ["Castie!"]),
            RequestContent.FormField("a", ["1", "2"]),
            RequestContent.FormField("b", ["x y"]),
            RequestContent.FormField("c", [""]),
        ])
        #expect(RequestContent(entry.request) == expected)
    }

    @Test(
        "/post is handled only after its content has arrived",
        .checks("mockserver.post-replies-before-body-end")
    )
    func wholeBodyFirst() throws {
        defer { server.stop() }
        let slow = try RawClient(port: server.port)
        try slow.send("POST /post HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\na=1")
        #expect(try exchange("GET", "/get").status == 200)
        #expect(server.journal().map(\.request.target) == ["/get"])
        try slow.send("234")
        #expect(try slow.response().status == 200)
        #expect(server.journal().map(\.request.target) == ["/get", "/post"])
        #expect(server.journal().last?.contentCount == 6)
    }

    @Test(
        "/image answers with exactly the bytes of fixtures/images/image.jpg as image/jpeg",
        .checks("mockserver.image-jpeg")
    )
    func image() throws {
        defer { server.stop() }
        let response = try exchange("GET", "/image")
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "image/jpeg")
        #expect(try response.body == bytes(ofFile: packageFolder + "/fixtures/images/image.jpg"))
    }

    @Test(
        "A missing file immediately results in an error",
        .checks("mockserver.image-missing-file")
    )
    func missingFile() throws {
        defer { server.stop() }
        let fixture = try MockServerFixture(.with { $0.body = .file("no-such-file.jpg") })
        let client = try fixture.client()
        try client.request("GET", "/-/t/image")
        #expect(try [404, 500].contains(client.response().status))
        try client.request("GET", "/-/t/image")
        #expect(try [404, 500].contains(client.response().status))
    }

    @Test("An escaped path is routed as the decoded one", .checks("mockserver.percent-decoded-routing"))
    func escapedPath() throws {
        defer { server.stop() }
        let response = try exchange("GET", "/%67et")
        #expect(response.status == 200)
        #expect(response.text == #"{"data":"GET Method","status":"Success"}"#)
    }

    @Test(
        "A malformed escape results in 400",
        .checks("mockserver.percent-decoded-routing"),
        arguments: ["/get%zz", "/get%", "/get%4"]
    )
    func malformedEscape(target: String) throws {
        defer { server.stop() }
        #expect(try exchange("GET", target).status == 400)
    }

    @Test(
        "A page responds only to its own path",
        .checks("mockserver.substring-routing", "mockserver.unknown-path"),
        arguments: ["/other", "/api/getter", "/none?u=/get", "/get/", "/GET"]
    )
    func unknownPath(target: String) throws {
        defer { server.stop() }
        #expect(try exchange("GET", target).status == 404)
    }

    @Test(
        "With containment, a page responds to every URL that contains its path, and one page responds",
        .checks("mockserver.substring-routing"),
        arguments: [
            ("/api/getter", #""GET Method""#), ("/none?u=/get", #""GET Method""#),
            ("/none?u=%2Fget", #""GET Method""#), ("/x/fetchMockData/get", #""status":"success""#),
        ]
    )
    func containment(target: String, text: String) throws {
        var configuration = MockServer.Configuration()
        configuration.pageMatching = .contained
        let server = MockServer(configuration, clock: VirtualClock(wallSeconds: 0))
        defer { server.stop() }
        try server.start()
        let client = try RawClient(port: server.port)
        try client.request("GET", target)
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response.text.contains(text))
        try client.request("GET", "/other")
        #expect(try client.response().status == 404)
    }

    /// On a separate address, whose ports no other program uses.
    @Test("It listens on the port that is chosen, and reports it", .checks("mockserver.port-8090"))
    func chosenPort() throws {
        server.stop()
        var configuration = MockServer.Configuration(port: 8090)
        configuration.server.address = "127.80.90.2"
        let chosen = MockServer(configuration, clock: VirtualClock(wallSeconds: MockServerFixture.begin))
        try chosen.start()
        defer { chosen.stop() }
        #expect(chosen.port == 8090 && chosen.url == "http://127.80.90.2:8090")
        let client = try RawClient("127.80.90.2", port: 8090)
        try client.request("GET", "/get")
        #expect(try client.response().status == 200)
    }

    @Test(
        "A path that contains two pages' names gets one response",
        .checks("mockserver.routes-not-exclusive")
    )
    func oneResponse() throws {
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.request("GET", "/get/post")
        #expect(try client.response().status == 404)
        try client.request("GET", "/get")
        #expect(try client.response().text == #"{"data":"GET Method","status":"Success"}"#)
        #expect(server.journal().count == 2)
    }

    @Test(
        "A wrong method results in 405 with the allowed methods",
        .checks("mockserver.method-not-checked"),
        arguments: [
            ("POST", "/get", "GET, HEAD"), ("GET", "/post", "POST"), ("DELETE", "/image", "GET, HEAD"),
        ]
    )
    func wrongMethod(method: String, path: String, allowed: String) throws {
        defer { server.stop() }
        let response = try exchange(method, path)
        #expect(response.status == 405)
        #expect(response["Allow"] == allowed)
    }

    @Test("HEAD is answered without content", .checks("mockserver.method-not-checked"))
    func head() throws {
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        try client.request("HEAD", "/get")
        let response = try client.response(toHead: true)
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "application/json")
        try client.request("GET", "/get")
        #expect(try client.response().statusLine == "HTTP/1.1 200 OK")
    }

    @Test(
        "The pages have no caching fields of their own",
        .checks("mockserver.no-cache-headers-by-default"),
        arguments: [("GET", "/get"), ("POST", "/post"), ("GET", "/image"), ("GET", "/fetchMockData")]
    )
    func noCachingFields(method: String, path: String) throws {
        defer { server.stop() }
        let response = try exchange(method, path)
        for name in ["Cache-Control", "ETag", "Last-Modified", "Expires", "Age", "Vary", "Pragma"] {
            #expect(response[name] == nil, "\(name)")
        }
    }

    @Test("Cache-Control is sent as configured", .checks("mockserver.configurable-cache-control"))
    func cacheControl() throws {
        defer { server.stop() }
        #expect(try exchange("GET", "/get?cache-control=max-age=5")["Cache-Control"] == "max-age=5")
        let odd = try exchange("GET", "/get?cache-control=Public,%20%20MAX-AGE=%225%22")
        #expect(odd["Cache-Control"] == #"Public,  MAX-AGE="5""#)
    }

    @Test(
        "The pages are chunked, and have a length if that is requested",
        .checks("mockserver.body-framing")
    )
    func framing() throws {
        defer { server.stop() }
        let chunked = try exchange("GET", "/get")
        #expect(chunked["Transfer-Encoding"] == "chunked")
        #expect(chunked["Content-Length"] == nil)
        let framed = try exchange("GET", "/get?framing=length")
        #expect(framed["Transfer-Encoding"] == nil)
        #expect(framed["Content-Length"] == "40")
        #expect(framed.text == chunked.text)
    }

    @Test("Every request is in the journal, including one for an image", .checks("mockserver.request-log"))
    func journal() throws {
        defer { server.stop() }
        _ = try exchange("GET", "/get?x=1", ["X-From: test"])
        _ = try exchange("POST", "/post", body: "a=1")
        _ = try exchange("GET", "/image")
        _ = try exchange("GET", "/other")
        let entries = server.journal()
        #expect(entries.map(\.request.method) == ["GET", "POST", "GET", "GET"])
        #expect(entries.map(\.request.target) == ["/get?x=1", "/post", "/image", "/other"])
        #expect(entries[0].request.fields.contains(ServedField("X-From", "test")))
        #expect(entries[1].request.body == Array("a=1".utf8))
        #expect(entries.map(\.status) == [200, 200, 200, 404])
    }

    @Test("The port can be chosen, and a server without a chosen one reports its port")
    func port() throws {
        #expect(try #require(server.port) > 0)
        let port = try OwnPort.next()
        let second = MockServer(MockServer.Configuration(port: port), clock: VirtualClock(wallSeconds: 0))
        defer { second.stop() }
        #expect(second.port == nil)
        try second.start()
        #expect(second.port == port)
        let client = try RawClient(port: port)
        try client.request("GET", "/get")
        #expect(try client.response().status == 200)
    }

    @Test("/fetchMockData answers a status and a list", .checks("mockserver.fetch-mock-data"))
    func fetchMockData() throws {
        defer { server.stop() }
        let response = try exchange("GET", "/fetchMockData")
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "application/json")
        #expect(response.text.contains(#""status":"success""#))
        #expect(response.text.contains(#""data":["#))
    }

    @Test(
        "/get and /post say Success and /fetchMockData says success, as in the documents",
        arguments: [
            ("GET", "/get", #""status":"Success""#), ("POST", "/post", #""status":"Success""#),
            ("GET", "/fetchMockData", #""status":"success""#),
        ]
    )
    func statusText(method: String, path: String, text: String) throws {
        defer { server.stop() }
        #expect(try exchange(method, path).text.contains(text))
    }
}

extension PageRow {
    /// Content of the request; empty if there is none.
    var formBody: String { method == "POST" ? "username=Castie%21&a=1" : "" }
}
