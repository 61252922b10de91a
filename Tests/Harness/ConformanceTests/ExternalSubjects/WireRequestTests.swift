import HTTPTypes
import PublicSuite
import Testing

@testable import Conformance

@Suite("Redirects of requests over the network, RFC 9110 §15.4")
struct WireRequestTests {
    private static let fields = [
        (name: "Content-Type", value: "text/plain"), (name: "Digest", value: "x"),
        (name: "Last-Modified", value: "y"), (name: "Accept", value: "*/*"),
    ]

    private func request(_ method: String, _ url: String = "http://a.example:81/dir/page?x=1") -> WireRequest
    {
        WireRequest(method: method, url: url, fields: Self.fields, body: Array("content".utf8))
    }

    private func response(_ status: Int, _ location: String?) -> SuiteResponse {
        let fields = location.map { [(name: "Location", value: $0)] } ?? []
        return SuiteResponse(status: status, fields: fields, body: [])
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var status: Int
        var method: String
        var next: String
        var testDescription: String { "\(status) to \(method)" }
    }

    @Test(
        "301 and 302 turn POST into GET, 303 everything but HEAD, 307 and 308 nothing",
        arguments: [
            Change(status: 301, method: "POST", next: "GET"),
            Change(status: 302, method: "POST", next: "GET"),
            Change(status: 301, method: "PUT", next: "PUT"),
            Change(status: 302, method: "DELETE", next: "DELETE"),
            Change(status: 303, method: "POST", next: "GET"), Change(status: 303, method: "PUT", next: "GET"),
            Change(status: 303, method: "HEAD", next: "HEAD"),
            Change(status: 307, method: "POST", next: "POST"),
            Change(status: 308, method: "PUT", next: "PUT"), Change(status: 301, method: "GET", next: "GET"),
        ]
    )
    func method(row: Change) throws {
        let next = try #require(request(row.method).redirected(by: response(row.status, "/b")))
        #expect(next.method == row.next)
    }

    @Test("A request that becomes a GET loses its content, and the fields about it")
    func content() throws {
        let kept = try #require(request("POST").redirected(by: response(307, "/b")))
        #expect(kept.body == Array("content".utf8))
        #expect(kept.fields.map(\.name) == Self.fields.map(\.name))
        let rewritten = try #require(request("POST").redirected(by: response(303, "/b")))
        #expect(rewritten.body == nil)
        #expect(rewritten.fields.map(\.name) == ["Accept"])
    }

    @Test(
        "Other responses, and those without a Location, lead nowhere",
        arguments: [200, 201, 300, 304, 305, 404]
    )
    func none(status: Int) {
        #expect(request("GET").redirected(by: response(status, "/b")) == nil)
        #expect(request("GET").redirected(by: response(302, nil)) == nil)
    }

    @Test(
        "Location is resolved against the request's URL, without fragment, RFC 3986 §5.2.2",
        arguments: [
            ("http://b.example/c", "http://b.example/c"), ("//b.example/c", "http://b.example/c"),
            ("/c?y=2#part", "http://a.example:81/c?y=2"), ("other", "http://a.example:81/dir/other"),
            ("?y=2", "http://a.example:81/dir/page?y=2"), ("", "http://a.example:81/dir/page?x=1"),
            ("/login?next=http://b.example/", "http://a.example:81/login?next=http://b.example/"),
            ("HTTP://b.example", "HTTP://b.example"), ("#part", "http://a.example:81/dir/page?x=1"),
            // §5.2.4 and the examples of §5.4.
            ("./c", "http://a.example:81/dir/c"), ("../c", "http://a.example:81/c"),
            ("../../c", "http://a.example:81/c"), (".", "http://a.example:81/dir/"),
            ("..", "http://a.example:81/"), ("c/./d/../e", "http://a.example:81/dir/c/e"),
            ("/a/./b/../c?y=/../z", "http://a.example:81/a/c?y=/../z"),
            ("http://b.example/a/../c", "http://b.example/c"), ("//b.example/..", "http://b.example/"),
            (".c/..d", "http://a.example:81/dir/.c/..d"),
        ]
    )
    func location(reference: String, url: String) throws {
        let next = try #require(request("GET").redirected(by: response(302, reference)))
        #expect(next.url == url)
    }

    @Test("A URL without a path has the path /, in requests and for references")
    func noPath() throws {
        let bare = request("GET", "http://a.example")
        #expect(bare.head?.path == "/")
        #expect(bare.head?.authority == "a.example")
        let next = try #require(bare.redirected(by: response(302, "b")))
        #expect(next.url == "http://a.example/b")
        #expect(request("GET", "http://a.example?x=1").head?.path == "/?x=1")
    }

    @Test("A URL without host or scheme, or a malformed method, has no head")
    func malformed() {
        #expect(request("GET", "/a").head == nil)
        #expect(request("GET", "http:///a").head == nil)
        #expect(request("G T", "http://a.example/").head == nil)
    }
}
