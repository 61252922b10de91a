import LocatedYAML
import OriginScript
import Testing

@Suite("Answers in a script")
struct AnswerDecodingTests {
    @Test("An empty map is the default answer")
    func empty() throws {
        #expect(try decode("{}") == Answer())
    }

    @Test("Every key of an answer has its member")
    func everything() throws {
        let answer = try decode(
            """
            status: 404
            reason: Gone Fishing
            fields: {Vary: [Accept, Cookie], X-Number: 5, Location: '${base}/b', Expires: {date: +60s, form: rfc850}}
            date: -60s
            body: one
            etag: W/"v1"
            last-modified: -100d
            conditional: ignore
            gzip: true
            framing: close
            delay: 2s
            chunk-delay: 100ms
            rate: 1KiB
            hold: body
            fail: close@10
            interim: [{status: 103, fields: {Link: </a>}}]
            """
        )
        var expected = Answer()
        expected.status = 404
        expected.reason = "Gone Fishing"
        expected.fields = [
            FieldLine("Vary", .text("Accept")), FieldLine("Vary", .text("Cookie")),
            FieldLine("X-Number", .text("5")), FieldLine("Location", .text("${base}/b")),
            FieldLine("Expires", .date(offset: .seconds(60), form: .rfc850)),
        ]
        expected.date = .offset(.seconds(-60))
        expected.body = .text("one")
        expected.entityTag = .literal("W/\"v1\"")
        expected.lastModified = .offset(.seconds(-8_640_000))
        expected.evaluatesPreconditions = false
        expected.gzip = .offered
        expected.framing = .close
        expected.delay = .seconds(2)
        expected.chunkDelay = .milliseconds(100)
        expected.rate = 1024
        expected.hold = .body
        expected.faults = [Fault(.close, at: .body, byte: 10)]
        expected.interim = [InterimAnswer(status: 103, fields: [FieldLine("Link", .text("</a>"))])]
        #expect(answer == expected)
    }

    @Test("Fields may be pairs, whose order and repetition are kept")
    func pairs() throws {
        let answer = try decode("fields: [[A, 1], [B, 2], [A, {fixed-date: 0s}]]")
        #expect(
            answer.fields == [
                FieldLine("A", .text("1")), FieldLine("B", .text("2")),
                FieldLine("A", .fixedDate(offset: .zero, form: .imf)),
            ]
        )
    }

    @Test(
        "Content is text or has one source",
        arguments: [
            ("one", .text("one")), ("5", .text("5")), ("''", .text("")),
            ("{size: 20KiB}", .generated(size: 20480)),
            ("{base64: aGk=}", .bytes([104, 105])), ("{file: image.jpg}", .file("image.jpg")),
            (
                "{json: {a: [1, true, null, \"x\\\"\\n\", '2', -0.5, 01], b: {}}}",
                .text(#"{"a":[1,true,null,"x\"\n","2",-0.5,"01"],"b":{}}"#)
            ),
        ] as [(String, BodySource)]
    )
    func bodies(text: String, expected: BodySource) throws {
        #expect(try decode("body: \(text)").body == expected)
    }

    @Test(
        "A failure names its kind and position",
        arguments: [
            ("close@0", Fault(.close, at: .body)), ("close@1KiB", Fault(.close, at: .body, byte: 1024)),
            ("reset@5", Fault(.reset, at: .body, byte: 5)), ("close@head", Fault(.close, at: .head)),
            ("reset@head", Fault(.reset, at: .head)), ("never", Fault(.stall(.forever), at: .beforeHead)),
            ("slow=10@head", Fault(.slow(bytesPerSecond: 10), at: .head)),
            ("close", nil), ("close@", nil), ("never@3", nil), ("close@-1", nil), ("", nil),
            ("close@accept", nil),
        ] as [(String, Fault?)]
    )
    func failures(text: String, expected: Fault?) {
        #expect((try? decode("fail: \(text.isEmpty ? "''" : text)"))?.faults.first == expected)
    }

    @Test("Pieces imply chunked framing unless another is named")
    func chunks() throws {
        #expect(try decode("chunks: [3, 1KiB]").framing == .chunked)
        #expect(try decode("chunks: [3, 1KiB]").chunks == [3, 1024])
        #expect(try decode("{chunks: [3], framing: close}").framing == .close)
    }

    @Test(
        "Unsupported keys and values of an answer are refused",
        arguments: [
            ("status: 99", "f:1:9: found \"99\", expected a whole number from 100 to 999"),
            ("fields: {A B: c}", "f:1:10: found \"A B\", expected a field name"),
            ("fields: {A: \"b\\r\\nC: d\"}", "f:1:13: found \"b\\r\\nC: d\", expected text on one line"),
            (
                "changes: {etag: 0s}",
                "f:1:17: found \"0s\", expected a duration such as 10s, or a number of requests"
            ),
            (
                "changes: {etag: 3}",
                "f:1:17: found \"3\", expected a duration such as 10s, or a number of requests"
            ),
            (
                "{body: one, changes: {body: 1s}}",
                "f:1:29: found a body that cannot change, expected a body of"
            ),
            ("violations: 304-with-bdy", "f:1:13: found \"304-with-bdy\", expected \"304-with-body\""),
            ("ranges: maybe", "f:1:9: found \"maybe\", expected one of false, true, single, refuse"),
            ("gzip: {etag: strong}", "f:1:14: found \"strong\", expected one of suffix, weak, same"),
            (
                "body: {template: '${nope}'}",
                "f:1:18: found \"${nope}\", expected only the variables of templates"
            ),
            ("body: {folder: ../up}", "f:1:16: found \"../up\", expected a file of the fixture folder"),
            ("cookies: [a=b]", "f:1:10: found a list, expected a map of cookie names"),
            ("cookies: {a: 'b;c'}", "f:1:14: found \"b;c\", expected text without a semicolon"),
            ("cookies: {a: {path: /}}", "f:1:14: found a cookie without \"value\", expected \"value\""),
            (
                "fields: {A: '${host}'}",
                "f:1:13: found \"${host}\", expected only the variables ${base}, ${other}, ${now} and those of the request"
            ),
            (
                "fields: {A: {date: 1.5s}}",
                "f:1:20: found \"1.5s\", expected an offset of whole seconds such as"
            ),
            (
                "last-modified: -99999999999999d",
                "f:1:16: found \"-99999999999999d\", expected an offset of whole seconds such as -60s, +1h or 0s, at most 10000000000 s or 115740 d"
            ),
            (
                "last-modified: 1.5s",
                "f:1:16: found \"1.5s\", expected an offset of whole seconds such as -60s, +1h or 0s, at most 10000000000 s or 115740 d"
            ),
            (
                "date: +99999999999999d",
                "f:1:7: found \"+99999999999999d\", expected an offset of whole seconds such as -60s, +1h or 0s, at most 10000000000 s or 115740 d"
            ),
            (
                "expires: 115741d",
                "f:1:10: found \"115741d\", expected an offset of whole seconds such as -60s, +1h or 0s, at most 10000000000 s or 115740 d"
            ),
            (
                "fields: {A: {date: -115741d}}",
                "f:1:20: found \"-115741d\", expected an offset of whole seconds such as -60s, +1h or 0s, at most 10000000000 s or 115740 d"
            ),
            (
                "fields: {A: {form: imf}}",
                "f:1:13: found no date, expected one of \"date\" and \"fixed-date\""
            ),
            ("fields: [[A]]", "f:1:10: found a list, expected a [name, value] pair"),
            ("etag: v1", "f:1:7: found \"v1\", expected md5, or an entity tag with its quotes"),
            ("body: {size: 1KiB, json: 1}", "f:1:7: found 2 kinds of body, expected one of size"),
            ("body: {base64: a}", "f:1:16: found \"a\", expected base64"),
            ("body: {file: ../secret}", "f:1:14: found \"../secret\", expected a file of the fixture folder"),
            (
                "body: {file: /etc/passwd}",
                "f:1:14: found \"/etc/passwd\", expected a file of the fixture folder"
            ),
            ("body: [a]", "f:1:7: found a list, expected text, or a map with one of"),
            ("gzip: maybe", "f:1:7: found \"maybe\", expected one of true, false, always"),
            ("fail: close@x", "f:1:7: found \"close@x\", expected close@N"),
            ("rate: 0", "f:1:7: found \"0\", expected at least one byte per second"),
            ("delay: 5", "f:1:8: found \"5\", expected a duration"),
            ("hold: tail", "f:1:7: found \"tail\", expected one of head, body"),
            ("interim: [{status: 200}]", "f:1:20: found \"200\", expected a whole number from 100 to 199"),
            ("stauts: 200", "f:1:1: found unknown key \"stauts\" in an answer, expected \"status\""),
        ]
    )
    func refused(text: String, expected: String) throws {
        let problems = ProblemCollector()
        _ = Answer.decode(try YAMLNode.parse(text, file: "f"), problems)
        #expect(problems.problems.count == 1)
        #expect(problems.problems.first?.description.hasPrefix(expected) == true, "\(problems.problems)")
    }

    private func decode(_ text: String) throws -> Answer {
        let problems = ProblemCollector()
        let answer = Answer.decode(try YAMLNode.parse(text, file: "f"), problems)
        try problems.throwIfAny()
        return try #require(answer)
    }
}
