@testable import MockOriginTesting
import Testing
import TestSupport

private let hello = Route("/hello", Answer(body: "hello"))

private func get(_ target: String) throws -> RawResponse {
    let client = try RawClient(port: FaultProxy.current.port)
    try client.request("GET", target)
    return try client.response()
}

@Suite("A test's fault proxy", .timeLimit(.minutes(20)), .blocking)
struct FaultProxyTraitTests {
    @Test("It passes requests to the test's mock server", .mockServer(hello), .faultProxy())
    func passes() async throws {
        #expect(try get("/hello").text == "hello")
        try await MockServer.current.requireRequests(1, to: "/hello")
        #expect(
            try FaultProxy.current.url("/hello") == "http://127.0.0.1:\(FaultProxy.current.port ?? 0)/hello"
        )
    }

    @Test(
        "It injects the faults of the trait, and its journal says where",
        .mockServer(hello),
        .faultProxy("reset@body:2 requests=1")
    )
    func faults() throws {
        #expect(throws: (any Error).self) { try get("/hello") }
        #expect(try get("/hello").text == "hello")
        #expect(try FaultProxy.current.journal.map(\.injected) == [["reset@body:2"], []])
        #expect(try FaultProxy.current.journal.map(\.target) == ["/hello", "/hello"])
    }

    @Test("The test can replace faults, rules and held responses", .mockServer(hello), .faultProxy())
    func changes() throws {
        let proxy = try FaultProxy.current
        proxy.use(faults: [try Fault(text: "status=503@before-head")])
        #expect(try get("/hello").status == 503)
        proxy.use(faults: [])
        proxy.use(
            rules: try ProxyRuleFile.decode(
                "rules: [{path: /hello, answers: [{status: 418}, pass]}]",
                path: "r"
            )
        )
        #expect(try get("/hello").status == 418)
        #expect(try get("/hello").text == "hello")
        #expect(proxy.release() == 0)
    }

    @Test("Each case of a test has its own proxy", .mockServer(hello), .faultProxy(), arguments: 1...4)
    func isolated(count: Int) throws {
        for _ in 0..<count { _ = try get("/hello") }
        #expect(try FaultProxy.current.journal.count == count)
    }

    @Test("Without the trait there is no proxy, which is an error")
    func missing() {
        #expect(throws: MissingFaultProxyError.self) { try FaultProxy.current }
    }

    @Test("An upstream or a fault that cannot be read is an error that names it")
    func invalid() async {
        #expect(
            InvalidUpstream(url: "nowhere").description.contains("upstream nowhere, expected http://HOST")
        )
        await #expect(throws: InvalidUpstream.self) {
            try await FaultProxyTrait(upstream: "nowhere", faults: [], seed: 0).run {}
        }
        await #expect(throws: FaultTextProblem.self) {
            try await FaultProxyTrait(upstream: "http://127.0.0.1:9", faults: ["nothing@all"], seed: 0).run {}
        }
        await #expect(throws: MissingMockServerError.self) {
            try await FaultProxyTrait(upstream: nil, faults: [], seed: 0).run {}
        }
    }
}
