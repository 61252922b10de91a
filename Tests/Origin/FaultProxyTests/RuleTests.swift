import Clocks
import LocatedYAML
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("Rules of a proxy", .blocking)
struct RuleTests {
    private static let plain =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nVary: X\r\nETag: \"a\"\r\nAge: 5\r\nContent-Length: 4\r\n\r\nbody"

    private func stage(
        _ rules: String,
        answer: String = plain,
        seed: UInt64 = 0,
        clock: any TimeSource = SystemClock()
    ) throws -> ProxyStage {
        let file = try ProxyRuleFile.decode(rules, path: "rules.yaml")
        return try ProxyStage(
            clock: clock,
            configure: {
                $0.rules = file
                $0.faults.seed = seed
                $0.keepsJournal = true
            }
        ) { connection in
            while connection.readHead() != nil { connection.send(answer) }
        }
    }

    @Test("Pass, reset, 503 and pass take four lines")
    func sequence() throws {
        let stage = try stage(
            """
            rules:
              - path: /big
                answers: [pass, reset@body:2, {status: 503}, pass]
            """
        )
        defer { stage.stop() }
        var seen: [String] = []
        for _ in 0..<5 {
            let client = try stage.client()
            try client.request("GET", "/big")
            let head = try client.read(through: "\r\n\r\n")
            if head.hasPrefix("HTTP/1.1 503") {
                seen.append("503")
            } else if seen.count == 1 {
                seen.append(try client.ending(after: 2).isReset ? "reset" : "end")
            } else {
                seen.append(String(decoding: try client.read(count: 4), as: UTF8.self))
            }
        }
        #expect(seen == ["body", "reset", "503", "body", "body"])
    }

    struct Change: CustomTestStringConvertible {
        let pass: String
        let expected: String
        var testDescription: String { pass }
    }

    @Test(
        "A passed response is changed as asked, and only that",
        arguments: [
            Change(
                pass: "status: 404",
                expected: plain.replacing("200 OK", with: "404 Not Found")
            ),
            Change(
                pass: "fields: {vary: Y, X-New: [1, 2]}, remove: [Age, Missing]",
                expected: plain.replacing("Vary: X", with: "Vary: Y").replacing("Age: 5\r\n", with: "")
                    .replacing("\r\n\r\n", with: "\r\nX-New: 1\r\nX-New: 2\r\n\r\n")
            ),
            Change(
                pass: "body: other text",
                expected: plain.replacing("Length: 4", with: "Length: 10").replacing(
                    "body",
                    with: "other text"
                )
            ),
            Change(pass: "violations: without-vary", expected: plain.replacing("Vary: X\r\n", with: "")),
            Change(pass: "violations: zero-age", expected: plain.replacing("Age: 5", with: "Age: 0")),
            Change(pass: "violations: age-of-a-day", expected: plain.replacing("Age: 5", with: "Age: 86400")),
            Change(
                pass: "violations: [date-in-past]",
                expected: plain.replacing("\r\n\r\n", with: "\r\nDate: Wed, 31 Dec 1969 23:00:00 GMT\r\n\r\n")
            ),
            Change(pass: "violations: 304-without-fields", expected: plain),
        ]
    )
    func changes(_ change: Change) throws {
        let stage = try stage(
            "rules:\n  - answer: {pass: {\(change.pass)}}",
            clock: VirtualClock(wallSeconds: 0)
        )
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        let text = String(decoding: try client.read(count: change.expected.utf8.count), as: UTF8.self)
        #expect(text == change.expected)
    }

    private static let foldedHead =
        "HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\n\tc\r\nX-B: d\r\nX-C:\r\n e\r\nContent-Length: 0\r\n\r\n"

    @Test(
        "A field is removed or replaced with the lines that continue it, RFC 9112 §5.2",
        arguments: [
            Change(pass: "remove: X-A", expected: foldedHead.replacing("X-A: a\r\n b\r\n\tc\r\n", with: "")),
            Change(pass: "remove: X-C", expected: foldedHead.replacing("X-C:\r\n e\r\n", with: "")),
            Change(pass: "remove: X-B", expected: foldedHead.replacing("X-B: d\r\n", with: "")),
            Change(pass: "fields: {x-a: z}", expected: foldedHead.replacing("a\r\n b\r\n\tc", with: "z")),
        ]
    )
    func folded(_ change: Change) throws {
        let stage = try stage("rules:\n  - answer: {pass: {\(change.pass)}}", answer: Self.foldedHead)
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.read(through: "\r\n\r\n") == change.expected)
    }

    @Test("A folded value is read with a space for each line end, RFC 9112 §5.2")
    func foldedValue() {
        let head = HeadBytes(Array(Self.foldedHead.utf8))
        #expect(head.values("x-a") == ["a b c"])
        #expect(head.values("X-C") == ["e"])
        #expect(head.fields.map(\.name) == ["X-A", "X-B", "X-C", "Content-Length"])
    }

    @Test(
        "A response whose status a rule changes is framed as the new status demands, RFC 9112 §6.3",
        arguments: [
            (
                "status: 200, body: made", "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmade"
            ),
            (
                "status: 200", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 0\r\n\r\n"
            ),
            (
                "body: made", "HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n",
                "HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n"
            ),
            (
                "status: 204", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc",
                "HTTP/1.1 204 No Content\r\n\r\n"
            ),
            (
                "status: 204", "HTTP/1.1 304 Not Modified\r\nContent-Length: 26\r\nETag: \"a\"\r\n\r\n",
                "HTTP/1.1 204 No Content\r\nETag: \"a\"\r\n\r\n"
            ),
        ]
    )
    func otherFraming(pass: String, sent: String, passed: String) throws {
        let stage = try stage("rules:\n  - answer: {pass: {\(pass)}}", answer: sent)
        defer { stage.stop() }
        let client = try stage.client()
        for _ in 0..<2 {
            try client.request("GET", "/")
            #expect(try String(decoding: client.read(count: passed.utf8.count), as: UTF8.self) == passed)
        }
    }

    @Test("A 304 loses its fields or has another tag, and nothing else passes changed")
    func notModified() throws {
        let answer =
            "HTTP/1.1 304 Not Modified\r\nDate: x\r\nETag: \"a\"\r\nVary: X\r\nCache-Control: no-cache\r\nServer: s\r\n\r\n"
        let stage = try stage(
            """
            rules:
              - answers:
                - pass: {violations: 304-without-fields}
                - pass: {violations: 304-with-other-etag}
            """,
            answer: answer
        )
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 304 Not Modified\r\nServer: s\r\n\r\n")
        try client.request("GET", "/")
        #expect(try client.read(through: "\r\n\r\n") == answer.replacing("\"a\"", with: "\"another\""))
    }

    @Test("With same-etag later content has the tag of the first, target by target")
    func sameTag() throws {
        let number = Lock(0)
        let file = try ProxyRuleFile.decode(
            "rules:\n  - answer: {pass: {violations: same-etag}}",
            path: "r.yaml"
        )
        let stage = try ProxyStage(configure: { $0.rules = file }) { connection in
            while connection.readHead() != nil {
                let count = number.withLock { number in
                    number += 1
                    return number
                }
                connection.send("HTTP/1.1 200 OK\r\nETag: \"\(count)\"\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { stage.stop() }
        let client = try stage.client()
        var tags: [String?] = []
        for path in ["/a", "/a", "/b", "/a"] {
            try client.request("GET", path)
            tags.append(try client.response()["ETag"])
        }
        #expect(tags == ["\"1\"", "\"1\"", "\"3\"", "\"1\""])
    }

    struct Match: CustomTestStringConvertible {
        let rule: String
        let target: String
        let isChanged: Bool
        var method = "GET"
        var lines: [String] = []
        var testDescription: String { rule + " " + method + " " + target }
    }

    @Test(
        "A rule is for the requests and responses that it describes",
        arguments: [
            Match(rule: "path: /a", target: "/a?b", isChanged: true),
            Match(rule: "path: /a", target: "/b", isChanged: false),
            Match(rule: "path: /a/*", target: "/a/b", isChanged: true),
            Match(rule: "path: '/users/{id}'", target: "/users/7", isChanged: true),
            Match(rule: "method: POST", target: "/", isChanged: false),
            Match(rule: "query: {page: '2'}", target: "/?x=1&page=2", isChanged: true),
            Match(rule: "query: {page: '2'}", target: "/?page=3", isChanged: false),
            Match(rule: "fields: {Accept: {contains: json}}", target: "/", isChanged: false),
            Match(
                rule: "fields: {Accept: {contains: json}}",
                target: "/",
                isChanged: true,
                lines: ["Accept: application/json"]
            ),
            Match(rule: "response: {status: 200}", target: "/", isChanged: true),
            Match(rule: "response: {status: [404, 5xx]}", target: "/", isChanged: false),
            Match(rule: "response: {type: text/*}", target: "/", isChanged: true),
            Match(rule: "response: {type: image/*}", target: "/", isChanged: false),
            Match(rule: "response: {fields: {Vary: X}}", target: "/", isChanged: true),
            Match(rule: "response: {fields: {Vary: absent}}", target: "/", isChanged: false),
            Match(rule: "requests: 1", target: "/", isChanged: true),
            Match(rule: "requests: 2..3", target: "/", isChanged: false),
            Match(rule: "when: {a: start}", target: "/", isChanged: true),
            Match(rule: "when: {a: other}", target: "/", isChanged: false),
        ]
    )
    func matches(_ match: Match) throws {
        let stage = try stage("rules:\n  - \(match.rule)\n    answer: {pass: {fields: {X-Changed: yes}}}")
        defer { stage.stop() }
        let client = try stage.client()
        try client.request(match.method, match.target, match.lines)
        #expect((try client.response()["X-Changed"] != nil) == match.isChanged)
    }

    @Test("Faults of a rule for certain responses leave other responses alone")
    func responseFaults() throws {
        let stage = try stage("rules:\n  - response: {status: 404}\n    answer: reset@body:1")
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("GET", "/")
        #expect(try client.response().text == "body")
    }

    @Test("An answer of the site language needs no upstream")
    func ownAnswer() throws {
        let stage = try stage(
            """
            rules:
              - path: '/users/{id}'
                answer: {status: 201, fields: {X-Id: "${path.id}"}, body: made, etag: '"t"', faults: delay=0s@head}
            """
        )
        defer { stage.stop() }
        let client = try stage.client()
        try client.request("POST", "/users/7", body: "content")
        let response = try client.response()
        #expect(response.status == 201)
        #expect(response["X-Id"] == "7")
        #expect(response.text == "made")
        #expect(stage.origin.connections == 0)
        try client.request("GET", "/")
        #expect(try client.response().text == "body")
    }

    @Test("A rule with a chance decides by the seed, and logs it")
    func chance() throws {
        func statuses(seed: UInt64) throws -> [Int] {
            let stage = try stage("rules:\n  - {chance: 50%, answer: {status: 503}}", seed: seed)
            defer { stage.stop() }
            let client = try stage.client()
            return try (0..<16).map { _ in
                try client.request("GET", "/")
                return try client.response().status
            }
        }
        let first = try statuses(seed: 1)
        #expect(Set(first) == [200, 503])
        #expect(try statuses(seed: 1) == first)
        #expect(try statuses(seed: 2) != first)
    }

    @Test("After a reset the same requests get the same answers by chance, on new connections, too")
    func resetting() throws {
        let stage = try stage("rules:\n  - {chance: 50%, answer: {status: 503}}", seed: 1)
        defer { stage.stop() }
        func statuses() throws -> [Int] {
            try (0..<16).map { _ in
                let client = try stage.client()
                try client.request("GET", "/")
                return try client.response().status
            }
        }
        let first = try statuses()
        stage.proxy.context.reset()
        #expect(try statuses() == first)
    }

    @Test(
        "A problem is reported with its place",
        arguments: [
            ("rules:\n  - path: /a", "r.yaml:2:5: found a rule without an answer"),
            ("rules:\n  - answer: pas", "r.yaml:2:13: found \"pas\", expected pass, or a fault"),
            ("rules:\n  - answer: {pass: {stauts: 1}}", "r.yaml:2:21: found unknown key \"stauts\""),
            ("rules:\n  - pth: /a\n    answer: pass", "r.yaml:2:5: found unknown key \"pth\" in a rule"),
            ("rules:\n  - answer: reset@accept", "r.yaml:2:13: found a fault at accept"),
            ("rules:\n  - answers: []", "r.yaml:2:14: found an empty list"),
            ("rules:\n  - {answer: pass, response: {status: 20}}", "r.yaml:2:39: found "),
            ("rules:\n  - {answer: pass, chance: 0}", "r.yaml:2:28: found "),
            ("rules:\n  - answer: {pass: {violations: no}}", "r.yaml:2:33: found "),
            (
                "rules:\n  - {label: a, answer: pass}\n  - {label: a, answer: pass}",
                "r.yaml:3:5: found label \"a\" of another rule"
            ),
            ("x: 1", "r.yaml:1:1: found unknown key \"x\" in a file of rules"),
            ("{}", "r.yaml:1:1: found no rules"),
        ]
    )
    func problems(_ text: String, _ expected: String) {
        do throws(YAMLProblems) {
            _ = try ProxyRuleFile.decode(text, path: "r.yaml")
            Issue.record("no problem")
        } catch {
            #expect(error.description.hasPrefix(expected), "\(error)")
        }
    }

    @Test("A changed file takes effect, and one with problems leaves the previous rules in effect")
    func follows() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/rules.yaml"
        let first = "rules:\n  - answer: {status: 501}\n"
        try folder.write("rules.yaml", first)
        let (events, continuation) = AsyncStream.makeStream(of: RuleEvent.self)
        let file = try ProxyRuleFile.decode(first, path: path)
        let stage = try ProxyStage(configure: {
            ($0.rules, $0.ruleFile) = (file, (path, first))
            $0.onRules = { continuation.yield($0) }
        }) { _ in }
        defer { stage.stop() }
        var next = events.makeAsyncIterator()
        let client = try stage.client()
        for (text, status) in [("rules:\n  - answer: {status: 502}\n", 502), ("rules: 7\n", 502)] {
            try folder.write("rules.yaml", text)
            let event = try #require(await next.next())
            if case .refused(let problems) = event {
                #expect(problems.description.hasPrefix("\(path):1:8: found "))
            }
            try client.request("GET", "/")
            #expect(try client.response().status == status)
        }
    }

    @Test("The journal says what was injected and where, and how the exchange ended")
    func journal() throws {
        let stage = try stage(
            """
            rules:
              - path: /big
                label: big
                answers: [reset@body:2, {status: 503}, {pass: {status: 404, violations: without-vary}}, pass]
            """
        )
        defer { stage.stop() }
        for _ in 0..<4 {
            let client = try stage.client()
            try client.request("GET", "/big")
            _ = try client.read(through: "\r\n\r\n")
            // The next one comes when this has ended.
            while stage.proxy.context.journal?.entries.entries.last?.ended == nil {}
        }
        let entries = stage.proxy.context.journal?.entries.entries ?? []
        #expect(entries.map(\.status) == [200, 503, 404, 200])
        #expect(entries.map(\.upstreamStatus) == [nil, nil, 200, nil])
        #expect(
            entries.map(\.injected) == [["reset@body:2"], ["answer"], ["status=404", "without-vary"], []]
        )
        #expect(entries.map(\.ended) == ["reset", "complete", "complete", "complete"])
        #expect(entries.map(\.rule) == ["big", "big", "big", "big"])
        #expect(entries.map(\.name).last == "connection#4 request#1")
    }
}
