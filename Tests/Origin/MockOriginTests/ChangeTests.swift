import Clocks
import HTTPServing
import LocatedYAML
import OriginScript
import Testing
import TestSupport

@testable import MockOrigin

@Suite("Answers that change over time, and templates", .timeLimit(.minutes(20)))
struct ChangeTests {
    private static let begin: Int64 = 1_767_225_600

    private func reply(
        _ text: String,
        count: Int = 1,
        after seconds: Double = 0,
        _ request: ServedRequest? = nil
    ) throws
        -> ComposedReply
    {
        let problems = ProblemCollector()
        let answer = Answer.decode(try YAMLNode.parse(text, file: "f"), problems)
        try problems.throwIfAny()
        var context = AnswerContext(
            request: request ?? ServedRequest(method: "GET", target: "/"),
            now: HTTPTimestamp(seconds: Self.begin + Int64(seconds)),
            startedAt: HTTPTimestamp(seconds: Self.begin)
        )
        context.count = count
        context.elapsedSeconds = seconds
        context.parameters = ["id": "7"]
        return ComposedReply.compose(try #require(answer), context, ContentStore(folder: nil))
    }

    private func body(_ reply: ComposedReply) -> String {
        reply.steps.reduce(into: "") { text, step in
            if case .content(let piece, _, _) = step {
                text += String(decoding: piece.bytes() ?? [], as: UTF8.self)
            }
        }
    }

    @Test("An entity tag rotates every ten seconds while the content does not change")
    func tag() throws {
        let text = "{etag: '\"v\"', body: same, changes: {etag: 10s}}"
        let replies = try [0, 9.9, 10, 25].map { try reply(text, after: $0) }
        #expect(replies.map { $0.head.fields.combined("ETag") } == ["\"v\"", "\"v\"", "\"v-1\"", "\"v-2\""])
        #expect(Set(replies.map(body)) == ["same"])
    }

    @Test("The content changes while the entity tag does not")
    func content() throws {
        let text = "{etag: '\"v\"', body: {template: 'r${revision}'}, changes: {body: 2 requests}}"
        let replies = try (1...5).map { try reply(text, count: $0) }
        #expect(replies.map(body) == ["r0", "r0", "r1", "r1", "r2"])
        #expect(Set(replies.map { $0.head.fields.combined("ETag") }) == ["\"v\""])
    }

    @Test("A tag by content changes with the pattern of generated content, whose size does not")
    func pattern() throws {
        let text = "{etag: md5, body: {size: 100}, changes: {body: 1m}}"
        let (first, second) = (try reply(text), try reply(text, after: 60))
        #expect(body(first) != body(second))
        #expect(body(second).count == 100)
        #expect(first.head.fields.combined("ETag") != second.head.fields.combined("ETag"))
    }

    @Test("The modification time moves to the last change, by the clock or by requests")
    func lastModified() throws {
        let clock = "{last-modified: 0s, changes: {last-modified: 1m}}"
        #expect(
            try reply(clock, after: 59).head.fields.combined("Last-Modified")
                == "Thu, 01 Jan 2026 00:00:00 GMT"
        )
        #expect(
            try reply(clock, after: 150).head.fields.combined("Last-Modified")
                == "Thu, 01 Jan 2026 00:02:00 GMT"
        )
        let requests = "{last-modified: 0s, changes: {last-modified: 3 requests}}"
        let seen = try (1...7).map {
            try reply(requests, count: $0).head.fields.combined("Last-Modified")?.suffix(6)
        }
        #expect(seen == ["00 GMT", "00 GMT", "00 GMT", "01 GMT", "01 GMT", "01 GMT", "02 GMT"])
    }

    @Test("Ten thousand rotations of ten seconds are ten thousand tags")
    func rotations() throws {
        let clock = VirtualClock(wallSeconds: MockServerFixture.begin)
        var answer = Answer()
        answer.entityTag = .literal("\"v\"")
        answer.changes.entityTag = .every(.seconds(10))
        let server = MockServer(clock: clock)
        let origin = server.open(
            token: "t",
            routes: [Route(label: "1", answers: [answer])],
            clock: clock,
            startedAt: MockServerFixture.begin
        )
        var tags: Set<String> = []
        for _ in 0..<10_000 {
            let reply = origin.accept(ServedRequest(method: "GET", target: "/-/t/")).reply
            tags.insert(reply.head.fields.combined("ETag") ?? "")
            clock.advance(by: .seconds(10))
        }
        #expect(tags.count == 10_000)
    }

    @Test("A template contains the values of its request")
    func template() throws {
        let text =
            "{body: {template: '${method} ${path} ${query} ${path.id} ${query.q} ${field.X} ${json.a.b[0]} ${count} ${unix} ${now}|${query.none}'}}"
        let request = ServedRequest(
            method: "POST",
            target: "/u/7?q=a%20b&q=c",
            fields: [ServedField("x", "1"), ServedField("X", "2")],
            body: Array(#"{"a":{"b":["\u00e9"]}}"#.utf8)
        )
        let expected = "POST /u/7 q=a%20b&q=c 7 a b 1, 2 é 4 1767225600 Thu, 01 Jan 2026 00:00:00 GMT|"
        #expect(body(try reply(text, count: 4, request)) == expected)
    }

    @Test("A value of the request in a field cannot end its line")
    func injection() throws {
        let request = ServedRequest(method: "GET", target: "/?to=%0d%0aX:%20y")
        let head = try reply("{redirect: '/${query.to}'}", request)
        #expect(head.head.status == 302)
        #expect(
            String(decoding: ComposedReply.bytes(head.head), as: UTF8.self).contains("Location: /  X: y\r\n")
        )
    }

    @Test("Fields and cookies have keys of their own")
    func shorthands() throws {
        let reply = try reply(
            """
            {fields: {cache-control: no-store, X: 1}, cache-control: max-age=5, expires: +1m, vary: Accept,
             cookies: {a: b, c: {value: d, path: /, max-age: 1h, secure: true, http-only: true, same-site: Lax}}}
            """
        )
        let fields = reply.head.fields
        #expect(fields.combined("Cache-Control") == "max-age=5")
        #expect(fields.combined("Expires") == "Thu, 01 Jan 2026 00:01:00 GMT")
        #expect(fields.combined("Vary") == "Accept")
        #expect(
            fields.lines("Set-Cookie") == [
                "a=b", "c=d; Path=/; Max-Age=3600; SameSite=Lax; Secure; HttpOnly",
            ]
        )
    }
}
