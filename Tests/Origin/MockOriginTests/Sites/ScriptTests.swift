import HTTPServing
import OriginScript
import Testing

@testable import MockOrigin

@Suite("Selection of routes and answers")
struct ScriptTests {
    private static let routes = [
        Route(label: "exact", path: .exact("/a"), methods: ["GET"], answers: [.text("1"), .text("2")]),
        Route(label: "query", path: .exact("/q"), query: "x=1", answers: [.text("q")]),
        Route(label: "empty", path: .exact("/q"), query: "", answers: [.text("e")]),
        Route(label: "prefix", path: .prefix("/b/"), answers: [.text("b")]),
    ]

    private func request(_ method: String, _ path: String, _ query: String? = nil) -> RoutedRequest {
        RoutedRequest(ServedRequest(method: method, target: path + (query.map { "?" + $0 } ?? "")))
    }

    @Test(
        "The first route that matches answers",
        arguments: [
            ("GET", "/a", nil, "exact"), ("GET", "/%61", "y=1", "exact"), ("POST", "/a", nil, nil),
            ("GET", "/q", "x=1", "query"), ("GET", "/q", nil, "empty"), ("GET", "/q", "x=2", nil),
            ("PUT", "/b/c", nil, "prefix"), ("GET", "/b", nil, nil),
        ] as [(String, String, String?, String?)]
    )
    func matching(method: String, path: String, query: String?, label: String?) {
        var script = Script(Self.routes)
        #expect(script.next(request(method, path, query))?.route.label == label)
    }

    @Test("Each route counts separately, and a pinned answer stays")
    func counting() {
        var script = Script(Self.routes)
        var bodies: [BodySource?] = []
        for path in ["/a", "/b/", "/a", "/a"] {
            bodies.append(script.next(request("GET", path))?.answer.body)
        }
        #expect(bodies == [.text("1"), .text("b"), .text("2"), .text("2")])
        script.pin(answer: 1, label: "exact")
        #expect(script.next(request("GET", "/a"))?.answer.body == .text("1"))
        script.pin(answer: 9, label: "exact")
        #expect(script.next(request("GET", "/a"))?.answer.body == .text("2"))
    }
}
