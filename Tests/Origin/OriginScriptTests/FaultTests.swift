import LocatedYAML
import OriginScript
import Testing

@Suite("Decoding of faults")
struct FaultTests {
    private func decode(_ yaml: String) throws -> Fault? {
        let problems = ProblemCollector()
        let fault = Fault.reader.read(try YAMLNode.parse(yaml, file: "f"), problems)
        try problems.throwIfAny()
        return fault
    }

    @Test(
        "The text and the map of a fault are equivalent",
        arguments: [
            ("reset@body:100", "{at: body, byte: 100, do: reset}"),
            ("close@head", "{at: head, do: close}"),
            ("half-close@body:50%", "{at: body, fraction: 0.5, do: half-close}"),
            ("stall@before-head", "{at: before-head, do: stall}"),
            ("stall=30s@body:1KiB", "{at: body, byte: 1KiB, do: {stall: 30s}}"),
            ("stall=forever@end", "{at: end, do: {stall: forever}}"),
            ("delay=100ms..2s@accept", "{at: accept, do: {delay: 100ms..2s}}"),
            ("truncate@body:0..600", "{at: body, byte: 0..600, do: truncate}"),
            ("garbage=64@head:7", "{at: head, byte: 7, do: {garbage: 64}}"),
            ("garbage=x@y@head", "{at: head, do: {garbage: x@y}}"),
            ("duplicate=10@body:20", "{at: body, byte: 20, do: {duplicate: 10}}"),
            ("duplicate@head", "{at: head, do: duplicate}"),
            ("rewrite=abc@body", "{at: body, do: {rewrite: abc}}"),
            ("slow=1KiB@head", "{at: head, do: {slow: 1KiB}}"),
            ("content-length=+10@head", "{at: head, do: {content-length: +10}}"),
            ("status=503/30s@before-head", "{at: before-head, do: {status: 503, retry-after: 30s}}"),
            ("interim=103@before-head", "{at: before-head, do: {interim: 103}}"),
            (
                "refuse@accept from=10s for=30s every=60s",
                "{at: accept, do: refuse, from: 10s, for: 30s, every: 60s}"
            ),
            (
                "reset@request-head:40 chance=30% burst=3 requests=2..4",
                "{at: request-head, byte: 40, do: reset, chance: 0.3, burst: 3, requests: 2..4}"
            ),
            ("close@request-body:50% path=/a*", "{at: request-body, fraction: 50%, do: close, path: /a*}"),
        ]
    )
    func sameThing(text: String, map: String) throws {
        let fault = try Fault(text: text)
        #expect(try decode(map) == fault)
        #expect(try decode("'\(text)'") == fault)
        #expect(try Fault(text: fault.description) == fault)
    }

    @Test(
        "The description of a fault equals its text",
        arguments: [
            "reset", "stall=1500ms@head", "delay=2s..3s@before-head", "truncate@body:10..20 chance=30%",
            "close@body:50% burst=3 requests=2..4", "refuse@accept from=10s for=30s every=60s",
            "status=503/30s@before-head path=/a*", "content-length=-3@head requests=1", "garbage=8@end",
        ]
    )
    func written(text: String) throws {
        let text = text == "reset" ? "reset@accept" : text
        #expect(try Fault(text: text).description == text)
    }

    @Test("A fault has the parts of its text")
    func parts() throws {
        var expected = Fault(.status(503, retryAfter: .seconds(30)), at: .beforeHead)
        expected.chance = 0.25
        expected.burst = 2
        expected.requests = 2...4
        expected.window = FaultWindow(from: .seconds(1), length: .seconds(2), period: .seconds(5))
        expected.path = .prefix("/a")
        let text =
            "status=503/30s@before-head chance=25% burst=2 requests=2..4 from=1s for=2s every=5s path=/a*"
        #expect(try Fault(text: text) == expected)
    }

    @Test("Several faults are separated by semicolons")
    func several() throws {
        let faults = try Fault.list(text: "delay=1s@before-head; reset@body:5")
        #expect(
            faults == [
                Fault(.delay(RandomRange(.seconds(1))), at: .beforeHead), Fault(.reset, at: .body, byte: 5),
            ]
        )
    }

    @Test(
        "An invalid fault is refused with its position",
        arguments: [
            ("{at: bodi, do: reset}", "f:1:6: found \"bodi\", expected \"body\""),
            ("{at: body, do: explode}", "f:1:16: found \"explode\", expected one of refuse, reset,"),
            ("{at: body, do: resett}", "f:1:16: found \"resett\", expected \"reset\""),
            ("{do: reset}", "f:1:1: found a fault without \"at\", expected \"at\""),
            ("{at: body, do: {slow: 0}}", "f:1:23: found \"0\", expected bytes per second, such as 1KiB"),
            ("{at: body, do: reset, byte: x}", "f:1:29: found \"x\", expected bytes such as 100 or 0..600"),
            ("{at: body, do: reset, chance: 2}", "f:1:31: found \"2\", expected a share above 0"),
            ("{at: accept, do: truncate}", "f:1:1: found \"truncate@accept\", expected one of refuse, reset"),
            (
                "{at: body, do: reset, byt: 1}",
                "f:1:23: found unknown key \"byt\" in a fault, expected \"byte\""
            ),
            (
                "{at: before-head, do: {status: 503, slow: 1}}",
                "f:1:23: found \"status\" with \"slow\", expected one action"
            ),
            (
                "reset@body:x",
                "f:1:1: found \"x\", expected bytes such as 100 or 0..600, or a share such as 50%"
            ),
            ("reset@body often=1", "f:1:1: found \"often=1\", expected one of chance=…, burst=…"),
            ("[1]", "f:1:1: found a list, expected a fault, as text or as a map"),
        ]
    )
    func problems(yaml: String, beginning: String) throws {
        let error = #expect(throws: YAMLProblems.self) { try decode(yaml) }
        #expect(try #require(error).description.hasPrefix(beginning), "\(String(describing: error))")
    }

    @Test(
        "A window opens and closes at its times",
        arguments: [
            (0, false, 10), (9, false, 10), (10, true, 15), (14, true, 15), (15, false, 30), (30, true, 35),
            (34, true, 35), (35, false, 50),
        ]
    )
    func window(second: Int, isOpen: Bool, next: Int) {
        let window = FaultWindow(from: .seconds(10), length: .seconds(5), period: .seconds(20))
        #expect(window.isOpen(at: .seconds(second)) == isOpen)
        #expect(window.nextChange(after: .seconds(second)) == .seconds(next))
    }
}

@Suite("Random choices of faults")
struct FaultDrawTests {
    private func moment(_ number: Int, _ request: String, seed: UInt64 = 1) -> FaultMoment {
        let draw = FaultDraw(seed: seed, scope: "s", request: request)
        return FaultMoment(number: number, path: "/", elapsed: .zero, draw: draw)
    }

    private func strikes(_ text: String, _ moment: FaultMoment) throws -> Bool {
        var log: [FaultDecision] = []
        return try [Fault(text: text)].resolved(moment, log: &log).count == 1
    }

    @Test("A draw depends on seed, scope, request, event and question, and on nothing else")
    func keys() {
        let draw = FaultDraw(seed: 1, scope: "ab", request: "c")
        let all = [
            draw.bits(.body, "x"), FaultDraw(seed: 2, scope: "ab", request: "c").bits(.body, "x"),
            FaultDraw(seed: 1, scope: "a", request: "bc").bits(.body, "x"), draw.bits(.head, "x"),
            draw.bits(.body, "y"), draw.bits(.body, "x", 1),
        ]
        #expect(Set(all).count == all.count)
        #expect(draw.bits(.body, "x") == all[0])
    }

    /// The number was computed by the same algorithm in another language.
    @Test("A draw is the same on every machine and in every version")
    func known() {
        #expect(
            FaultDraw(seed: 42, scope: "scope", request: "GET /a#1").bits(.body, "1 chance")
                == 3_475_335_056_444_063_704
        )
    }

    @Test("A chance of 30 % affects about three of ten requests")
    func chance() throws {
        let count = try (1...10_000).count { try strikes("reset@head chance=30%", moment($0, "r#\($0)")) }
        #expect((2_850...3_150).contains(count))
    }

    @Test("A burst affects successive requests")
    func burst() throws {
        let hits = try (1...1_000).map { try strikes("reset@head chance=2% burst=5", moment($0, "r#\($0)")) }
        let runs = hits.split(separator: false).map(\.count)
        #expect(!runs.isEmpty)
        // The last may be cut off by the end of the rows.
        #expect(runs.dropLast().allSatisfy { $0 >= 5 })
    }

    @Test("A drawn value is within the bounds and recorded")
    func bounds() throws {
        for number in 1...100 {
            var log: [FaultDecision] = []
            let faults = try Fault.list(text: "delay=1s..2s@head;reset@body:10..12;garbage=3@head")
            let resolved = faults.resolved(moment(number, "r#\(number)"), log: &log)
            #expect(resolved.allSatisfy { !$0.isRandom })
            guard case .delay(let time) = resolved[0].action, case .byte(let byte) = resolved[1].point,
                case .garbage(.bytes(let bytes)) = resolved[2].action
            else {
                Issue.record("not drawn")
                return
            }
            #expect(time.isFixed && time.low >= .seconds(1) && time.low <= .seconds(2))
            #expect(byte.isFixed && (10...12).contains(byte.low))
            #expect(bytes.count == 3)
            #expect(log.map(\.fault) == ["1 delay@head", "2 reset@body", "3 garbage@head"])
            #expect(log[1].description == "s\tr#\(number)\t2 reset@body\tbyte \(byte.low)")
        }
    }

    @Test("Requests, paths and windows select without a random decision")
    func choice() throws {
        let faults = try Fault.list(text: "reset@head requests=2..3;reset@head path=/b*;reset@head from=1s")
        var log: [FaultDecision] = []
        let draw = FaultDraw(seed: 1, scope: "", request: "")
        let first = FaultMoment(number: 1, path: "/a", elapsed: .zero, draw: draw)
        let second = FaultMoment(number: 2, path: "/bc", elapsed: .seconds(1), draw: draw)
        #expect(faults.resolved(first, log: &log).isEmpty)
        #expect(faults.resolved(second, log: &log).count == 3)
        #expect(log.isEmpty)
    }
}
