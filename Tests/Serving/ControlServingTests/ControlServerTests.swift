import CLibrary
import ControlServing
import HTTPServing
import JSON
import LocatedYAML
import Locks
import Testing
import TestSupport

@Suite("Requests to a control API", .timeLimit(.minutes(20)), .blocking)
struct ControlServerTests {
    private enum Key: String, MapKey {
        static let mapName = "an item"
        case name
    }

    private static let operations = [
        ControlOperation(.get("/open"), name: "open", "Is open to all.") { _ in .json(["open": true]) }
            .with { $0.access = .open },
        ControlOperation(.get("/items/{id}"), name: "item", "Returns the id and the caller.") { request in
            .json(["id": .string(request.parameter("id")), "caller": .string(request.caller ?? "server")])
        }.with { $0.query = [ControlOperation.Parameter("verbose", "Says more.")] },
        ControlOperation(.put("/items/{id}"), name: "put", "Returns the name in the content.") {
            request throws(ControlProblem) in
            let name = try request.read(Key.self) { $0.required(.name, .text) }
            return .json(["name": .string(name ?? "")])
        },
        ControlOperation(.post("/stop"), name: "stop", "Needs the server's token.") { _ in .done }
            .with { $0.access = .serverToken },
        ControlOperation(.get("/events"), name: "events", "Sends two events.") { _ in
            ControlAnswer(
                .events { send throws(ClientDisconnected) in
                    try await send(ControlAnswer.event("first", id: 1, ["a": 1]))
                    try await send(ControlAnswer.event("last", .null))
                }
            )
        },
    ]

    @Test("Other requests are answered while a response is computed that takes long")
    func slowOperation() throws {
        let isAsked = Monitor(false)
        let operations = [
            ControlOperation(.get("/slow"), name: "slow", "Waits for the other operation.") { _ in
                isAsked.wait { isAsked, _ in isAsked ? .done(()) : .wait() }
                return .done
            }.with { ($0.access, $0.isSlow) = (.open, true) },
            ControlOperation(.get("/quick"), name: "quick", "Ends the wait of the other operation.") { _ in
                isAsked.withLock { $0 = true }
                isAsked.wakeAll()
                return .done
            }.with { $0.access = .open },
        ]
        let server = ControlServer(.init(), .init(title: "t", summary: "s"), operations: operations)
        try server.start()
        defer { server.stop() }
        let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
        try clients[0].request("GET", "/slow")
        try clients[1].request("GET", "/quick")
        for client in clients { #expect(try client.response().status == 204) }
    }

    private let server: ControlServer

    init() throws {
        var configuration = ControlServer.Configuration()
        configuration.token = try #require(AccessToken("the-token"))
        configuration.contentLimitBytes = 100
        server = ControlServer(
            configuration,
            ControlServer.Description(title: "t", summary: "s"),
            operations: Self.operations,
            callers: { $0.elementsEqual("space-token".utf8) ? "space" : nil }
        )
        try server.start()
    }

    private func answer(
        _ method: String,
        _ target: String,
        token: String? = "the-token",
        _ lines: [String] = [],
        body: String = ""
    ) throws -> RawResponse {
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        let authorization = token.map { ["Authorization: Bearer \($0)"] } ?? []
        try client.request(method, target, authorization + lines, body: body)
        return try client.response(toHead: method == "HEAD")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var target: String
        var token: String?
        var status: Int
        var testDescription: String { "\(method) \(target) with \(token ?? "no token")" }
    }

    @Test(
        "Operations require the tokens that they name; without one, an unknown path is not distinguished",
        arguments: [
            Row(target: "/open", token: nil, status: 200), Row(target: "/health", token: nil, status: 200),
            Row(target: "/openapi.json", token: nil, status: 200),
            Row(target: "/items/1", token: nil, status: 401),
            Row(target: "/nothing", token: nil, status: 401),
            Row(method: "DELETE", target: "/items/1", token: nil, status: 401),
            Row(target: "/items/1", token: "another-token", status: 401),
            Row(target: "/items/1", token: "space-token", status: 200),
            Row(target: "/nothing", token: "the-token", status: 404),
            Row(method: "POST", target: "/stop", token: "space-token", status: 403),
            Row(method: "POST", target: "/stop", token: "the-token", status: 204),
        ]
    )
    func access(row: Row) throws {
        let answer = try answer(row.method, row.target, token: row.token)
        #expect(answer.status == row.status)
        #expect(answer["WWW-Authenticate"] == (row.status == 401 ? "Bearer" : nil))
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["X-Content-Type-Options"] == "nosniff")
    }

    @Test(
        "The scheme is Bearer in any case, and nothing else is a token",
        arguments: [
            ("Bearer the-token", 200), ("bearer  the-token", 200), ("BEARER the-token", 200),
            ("Basic the-token", 401), ("the-token", 401), ("Bearer", 401), ("Bearer the-token x", 401),
            ("Bearer the-toke", 401),
        ]
    )
    func scheme(value: String, status: Int) throws {
        #expect(try answer("GET", "/items/1", token: nil, ["Authorization: \(value)"]).status == status)
    }

    @Test("An operation receives the decoded parameters of its path, and the owner of the token")
    func parameters() throws {
        let answer = try answer("GET", "/items/a%2Fb%20c", token: "space-token")
        #expect(answer.text == "{\"id\":\"a/b c\",\"caller\":\"space\"}\n")
        #expect(answer["Content-Type"] == "application/json")
    }

    @Test(
        "A path with an empty parameter or further segments is unknown",
        arguments: ["/items/", "/items", "/items/1/", "//items/1", "/items/1/2", "/"]
    )
    func unknown(target: String) throws {
        #expect(try answer("GET", target).status == 404)
    }

    @Test("Another method is refused with those that are allowed, RFC 9110 §15.5.6")
    func method() throws {
        let answer = try answer("DELETE", "/items/1")
        #expect(answer.status == 405)
        #expect(answer["Allow"] == "GET, PUT")
        #expect(answer.text.contains("/items/1 takes GET, PUT, not DELETE."))
    }

    @Test("HEAD is answered as GET, without content")
    func head() throws {
        let answer = try answer("HEAD", "/open")
        #expect(answer.status == 200)
        #expect(answer["Content-Length"] == "14")
    }

    @Test(
        "Unknown parameters and malformed escapes of a query are refused",
        arguments: [
            ("?verbose=1", 200, "server"), ("?", 200, "server"), ("?other=1", 422, "parameter \\\"other\\\""),
            ("?verbose=%zz", 422, "a malformed escape"), ("?verbose=1&x", 422, "parameter \\\"x\\\""),
        ]
    )
    func query(text: String, status: Int, part: String) throws {
        let answer = try answer("GET", "/items/1" + text)
        #expect(answer.status == status)
        #expect(answer.text.contains(part))
    }

    @Test(
        "Content that is not as described is refused with its position",
        arguments: [
            ("{\"name\": \"a\"}", 200, "\"a\""), ("{\"name\": \"a\",}", 422, "body:1:"),
            ("{\"other\": 1}", 422, "body:1:2"), ("[]", 422, "body:1:1"), ("", 422, "name"),
            ("{\"name\": \"\(String(repeating: "a", count: 100))\"}", 413, "error"),
        ]
    )
    func content(text: String, status: Int, part: String) throws {
        let answer = try answer("PUT", "/items/1", body: text)
        #expect(answer.status == status)
        #expect(answer.text.contains(part), "\(answer.text)")
    }

    @Test("The rejection of unread content ends the connection, and a malformed request is refused in JSON")
    func ends() throws {
        defer { server.stop() }
        let unread = try RawClient(port: server.port)
        try unread.request("PUT", "/items/1", body: "{\"name\": \"a\"}")
        #expect(try unread.response().status == 401)
        #expect(try unread.isAtEnd())
        let malformed = try RawClient(port: server.port)
        try malformed.send("GET /open HTTP/1.1\r\n\r\n")
        let answer = try malformed.response()
        #expect(answer.status == 400)
        #expect(answer.text.hasPrefix("{\"error\":"))
        #expect(try malformed.isAtEnd())
    }

    private static func threads(port: Int? = nil) -> ControlServer {
        var configuration = ControlServer.Configuration()
        configuration.port = port
        let operation = ControlOperation(.get("/thread"), name: "thread", "Returns its thread.") { _ in
            .json(.string("\(pthread_self())"))
        }
        return ControlServer(
            configuration,
            ControlServer.Description(title: "t", summary: "s"),
            operations: [operation.with { $0.access = .open }]
        )
    }

    @Test(
        "A server whose start has failed, and one that was stopped, can be started; operations run on one thread"
    )
    func startAgain() throws {
        let port = try OwnPort.next()
        let (first, other) = (Self.threads(port: port), Self.threads(port: port))
        try first.start()
        #expect(throws: ServerError.self) { try other.start() }
        #expect(other.port == nil)
        first.stop()
        try other.start()
        #expect(throws: ServerError.alreadyStarted) { try other.start() }
        other.stop()
        try other.start()
        defer { other.stop() }
        var threads: Set<String> = []
        for _ in 0..<20 {
            let client = try RawClient(port: other.port)
            try client.request("GET", "/thread")
            threads.insert(try client.response().text)
        }
        #expect(threads.count == 1)
    }

    @Test("Events are sent one after another, and their end ends the connection")
    func events() throws {
        let answer = try answer("GET", "/events")
        #expect(answer["Content-Type"] == "text/event-stream")
        #expect(answer.text == "id: 1\nevent: first\ndata: {\"a\":1}\n\nevent: last\ndata: null\n\n")
    }
}
