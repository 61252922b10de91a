import OriginScript
import Testing

@Suite("Answers and routes as values in code")
struct AnswerBuildingTests {
    @Test("An answer of JSON has its media type, entity tag and freshness lifetime")
    func json() {
        let answer = Answer.json("[]", status: 201).eTag("v1").maxAge(.milliseconds(60_900))
        #expect(answer.status == 201)
        #expect(answer.body == .text("[]"))
        #expect(answer.entityTag == .literal("\"v1\""))
        #expect(
            answer.fields == [
                FieldLine("Content-Type", .text("application/json")),
                FieldLine("Cache-Control", .text("max-age=60")),
            ]
        )
    }

    @Test(
        "An entity tag gets the quotation marks that it lacks",
        arguments: [
            ("v1", "\"v1\""), ("\"v1\"", "\"v1\""), ("W/v1", "W/\"v1\""), ("W/\"v1\"", "W/\"v1\""),
            ("", "\"\""),
            ("\"", "\"\"\""),
        ]
    )
    func entityTags(given: String, sent: String) {
        #expect(Answer.status(200).eTag(given).entityTag == .literal(sent))
    }

    @Test("A freshness lifetime replaces an earlier one, and no other directive")
    func replaced() {
        let answer = Answer.status(200).maxAge(.seconds(60)).cacheControl("no-cache").maxAge(.zero)
        #expect(
            answer.fields == [
                FieldLine("Cache-Control", .text("no-cache")), FieldLine("Cache-Control", .text("max-age=0")),
            ]
        )
    }

    @Test(
        "A path may lack the slash at its beginning",
        arguments: [("a", "/a"), ("a/{id}", "/a/{id}"), ("a*", "/a*"), ("*", "*"), ("", "/"), ("/a", "/a")]
    )
    func slash(given: String, path: String) {
        #expect(PathPattern(given) == PathPattern(path))
        #expect(PathPattern(given).description == path)
    }

    @Test("The problem of a fault's text is a sentence")
    func faultProblem() {
        let problem = #expect(throws: FaultTextProblem.self) { try Fault(text: "reset@nowhere") }
        #expect(problem.map { "\($0)" }?.hasPrefix("Found \"nowhere\", expected ") == true)
    }

    @Test("A negative freshness lifetime is none")
    func negative() {
        #expect(
            Answer.plainText("").maxAge(.seconds(-1)).fields.last
                == FieldLine("Cache-Control", .text("max-age=0"))
        )
    }

    @Test(
        "A route is for one method, and GET is also for HEAD",
        arguments: [
            (Route.get("/a"), ["GET", "HEAD"], "/a"), (.post("/a"), ["POST"], "POST /a"),
            (.put("/a"), ["PUT"], "PUT /a"), (.delete("/a"), ["DELETE"], "DELETE /a"),
        ]
    )
    func methods(route: Route, methods: [String], label: String) {
        #expect(route.methods == methods)
        #expect(route.label == label)
        #expect(route.answers == [Answer()])
    }

    @Test("Durations of any length are written as the longest that can be counted")
    func longest() {
        let longest = Duration.seconds(Int64.max) * 18
        #expect(
            Answer.plainText("").maxAge(longest).fields.last
                == FieldLine("Cache-Control", .text("max-age=9223372036854775807"))
        )
        #expect(FaultAction.delay(.init(longest)).description == "delay=9223372036854775807s")
        #expect(ChangeSchedule.every(longest).revision(count: 1, elapsedSeconds: 1e9) == 0)
    }

    @Test("Faults of an answer are those of a site file, in the same order")
    func faults() throws {
        let answer = try Answer.status(200).fault(.delay(by: .seconds(2)), at: .head)
            .fault(.reset, at: .body, byte: 100).fault(Fault(text: "close@end chance=30%"))
        let texts = ["delay=2s@head", "reset@body:100", "close@end chance=30%"]
        #expect(answer.faults == (try texts.map { try Fault(text: $0) }))
    }

    @Test("Each of the functions that build answers sets one property")
    func properties() {
        let answer = Answer.bytes([1, 2], type: "image/png", status: 203).lastModified(.file).servingRanges()
            .gzipped(.always).throttled(bytesPerSecond: 10).held(at: .body)
        var expected = Answer(status: 203, fields: ["Content-Type": "image/png"], body: .bytes([1, 2]))
        (expected.lastModified, expected.ranges, expected.gzip) = (.file, .offered, .always)
        (expected.rate, expected.hold) = (10, .body)
        #expect(answer == expected)
        #expect(Answer.status(200).gzipped().gzip == .offered)
        #expect(Answer.status(200).held().hold == .head)
    }

    @Test("Conditions of routes add up, and one on a parameter replaces one on the whole query")
    func conditions() {
        var route = Route.get("/a")
        route.query = .exact("x=1")
        let conditioned = route.query("q", "swift").query("page", .present).field("Accept", .contains("json"))
            .body(.text("b"))
        #expect(
            conditioned.query
                == .parameters([NamedMatch("q", .equals("swift")), NamedMatch("page", .present)])
        )
        #expect(conditioned.fields == [NamedMatch("Accept", .contains("json"))])
        #expect(conditioned.body == [.text(.equals("b"))])
    }

    @Test("A delay and directives add to what an answer has")
    func chained() {
        let answer = Answer.status(204).delayed(by: .seconds(1)).cacheControl("no-cache").field("X-A", "1")
        #expect(answer.delay == .seconds(1))
        #expect(answer.fields.map(\.name) == ["Cache-Control", "X-A"])
    }
}
