import LocatedYAML
import OriginScript
import Scenarios
import Testing

@Suite("Observations of the origin and the store, and expectations")
struct OriginCheckTests {
    static let seen = [
        observation("GET", "/a", connection: 1),
        observation("GET", "/b", query: "x=1", connection: 1, isReused: true),
        observation("POST", "/a", body: "hello", connection: 2, isAborted: true),
        observation("GET", "/a", fields: [("If-None-Match", "\"v1\"")], connection: 2, isReused: true),
    ]

    @Test(
        "A met expectation gives no mismatch",
        arguments: [
            "{requests: 4, connections: 2, aborted: 1}", "{path: /a, requests: 3}",
            "{method: POST, requests: 1}",
            "{path: /a, method: GET, requests: 2, connections: 1}", "{requests: {at-least: 4}}",
            "{since: last, requests: 2}", "{path: /c, requests: 0}",
            "{last: {method: GET, path: /a, fields: {If-None-Match: '\"v1\"', ETag: absent}, connection: reused}}",
            "{request: [{number: 1, connection: new}, {number: 2, query: x=1}, {number: 3, body: hello}]}",
            "{path: /b, last: {query: x=1, body: ''}}",
            "{since: last, request: {number: 1, body: {size: 5}}}",
        ]
    )
    func holds(expectation: String) throws {
        #expect(try check(expectation) == [])
    }

    @Test(
        "More requests than expected, and a field of one, are details of a mismatch",
        arguments: [
            ("{requests: 3}", Mismatch.Detail.surplusRequests), ("{requests: {less: 4}}", .surplusRequests),
            ("{requests: {at-most: 3}}", .surplusRequests), ("{requests: 5}", .other),
            ("{requests: {at-least: 5}}", .other), ("{connections: 1}", .other),
            (
                "{last: {fields: {If-None-Match: absent}}}",
                .requestField(name: "If-None-Match", seen: "\"v1\"")
            ),
            ("{last: {fields: {ETag: present}}}", .requestField(name: "ETag", seen: nil)),
        ]
    )
    func detail(expectation: String, detail: Mismatch.Detail) throws {
        #expect(try mismatches(expectation).map(\.detail) == [detail])
    }

    @Test(
        "A failed expectation names the expected and the seen value",
        arguments: [
            (
                "{requests: 1}",
                "origin-saw.requests: expected 1, seen 4 (GET /a, GET /b?x=1, POST /a, GET /a)"
            ),
            ("{path: /c, requests: 1}", "origin-saw.requests: expected 1, seen 0"),
            ("{path: /b, connections: 1}", "origin-saw.connections: expected 1, seen 0 (GET /b?x=1)"),
            (
                "{path: /b, aborted: {greater: 0}}",
                "origin-saw.aborted: expected above 0, seen 0 (GET /b?x=1)"
            ),
            ("{path: /c, last: {method: GET}}", "origin-saw.last: expected a request, seen 0 requests"),
            (
                "{path: /b, request: {number: 2}}",
                "origin-saw.request 2: expected a request, seen 1 requests (GET /b?x=1)"
            ),
            ("{last: {method: PUT}}", "origin-saw.last.method: expected PUT, seen GET"),
            ("{last: {query: x}}", "origin-saw.last.query: expected x, seen none"),
            ("{last: {connection: new}}", "origin-saw.last.connection: expected new, seen reused"),
            (
                "{last: {fields: {If-None-Match: absent}}}",
                "origin-saw.last.fields.If-None-Match: expected absent, seen \"\"v1\"\""
            ),
            (
                "{request: {number: 3, body: bye}}",
                "origin-saw.request 3.body: expected \"bye\", seen \"hello\""
            ),
        ]
    )
    func fails(expectation: String, expected: String) throws {
        #expect(try check(expectation) == [expected])
    }

    @Test("The store's usage is compared member by member")
    func usage() throws {
        guard
            case .usage(let expected) = try steps("- usage: {memory: {at-most: 1KiB}, disk: 0, files: 1}")[0]
        else {
            return #expect(Bool(false))
        }
        let good = UsageObservation(memory: 1024, disk: 0, files: 1, entries: 7)
        let bad = UsageObservation(memory: 1025, disk: 5, files: 1, entries: 7)
        #expect(expected.check(good) == [])
        #expect(
            expected.check(bad).map { "\($0.subject): expected \($0.expected), seen \($0.seen)" } == [
                "usage.memory: expected at most 1024, seen 1025", "usage.disk: expected 0, seen 5",
            ]
        )
    }

    @Test("A text that must be in a file, or in none, is reported if it is not")
    func texts() throws {
        let text = "- usage: {readable: [shown, lost], unreadable: [hidden, leaked]}"
        guard case .usage(let expected) = try steps(text)[0] else { return #expect(Bool(false)) }
        var seen = UsageObservation(memory: 0, disk: 0, files: 0, entries: 0)
        seen.readable = ["shown", "leaked"]
        #expect(
            expected.check(seen).map { "\($0.subject): expected \($0.expected), seen \($0.seen)" } == [
                "usage.readable: expected lost in a file, seen no file with it",
                "usage.unreadable: expected leaked in no file, seen a file with it",
            ]
        )
    }

    private func check(_ text: String) throws -> [String] {
        try mismatches(text).map { "\($0.subject): expected \($0.expected), seen \($0.seen)" }
    }

    private func mismatches(_ text: String) throws -> [Mismatch] {
        guard case .originSaw(let expected) = try steps("- origin-saw: \(text)")[0] else {
            struct NoStep: Error {}
            throw NoStep()
        }
        return expected.check(Self.seen, since: 2, context: CallerCheckTests.context)
    }

    private static func observation(
        _ method: String,
        _ path: String,
        query: String? = nil,
        fields: [(String, String)] = [],
        body: String = "",
        connection: Int,
        isReused: Bool = false,
        isAborted: Bool = false
    ) -> OriginObservation {
        var request = OriginObservation(
            method: method,
            path: path,
            query: query,
            fields: fields,
            body: Array(body.utf8)
        )
        (request.connection, request.isReusedConnection) = (connection, isReused)
        (request.isAborted, request.answeredStatus) = (isAborted, 200)
        return request
    }
}
