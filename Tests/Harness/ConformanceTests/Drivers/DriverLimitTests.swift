import LocatedYAML
import TestSupport
import Testing

@testable import Conformance

@Suite("Limits of drivers", .timeLimit(.minutes(20)), .blocking)
struct DriverLimitTests {
    @Test("Each limit in a reply to hello is decoded, and false declares none")
    func decoded() throws {
        for limit in DriverCapabilities.Limit.allCases {
            #expect(try Self.limits("\"\(limit.rawValue)\":true") == [limit])
            #expect(try Self.limits("\"\(limit.rawValue)\":false") == [])
        }
        #expect(DriverCapabilities.Limit.allCases.count == 5)
    }

    @Test("An unknown limit, and one that is neither true nor false, are problems")
    func undecoded() {
        let rows = [("\"premature-clos\":true", "premature-close"), ("\"obs-text\":1", "true or false")]
        for (refuses, found) in rows {
            let error = #expect(throws: YAMLProblems.self) { try Self.limits(refuses) }
            #expect(error?.description.contains(found) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "A scenario that exceeds a limit is skipped for a subject that declares it, and for no other",
        arguments: [
            (
                DriverCapabilities.Limit.obsoleteText, "{fields: {X: \"caf\u{E9}\"}}", "/a",
                "The subject does not support non-ASCII field values."
            ),
            (.emptyQuery, "{}", "/a, query: ''", "The subject does not send an empty query."),
            (
                .interimResponses, "{interim: [{status: 100}, {status: 103}]}", "/a",
                "The subject takes an interim response for the final one."
            ),
            (
                .interimResponses, "{faults: interim=102@before-head}", "/a",
                "The subject takes an interim response for the final one."
            ),
            (
                .prematureClose, "{faults: close@head:12}", "/a",
                "The subject takes a response that ends in its head for complete."
            ),
            (
                .prematureClose, "{faults: half-close@head:50%}", "/a",
                "The subject takes a response that ends in its head for complete."
            ),
            (
                .invalidLength, "{faults: {at: head, byte: 17, do: {garbage: \"Content-Length: 2\\r\\n\"}}}",
                "/a",
                "The subject accepts an invalid Content-Length."
            ),
        ]
    )
    func exceeded(_ limit: DriverCapabilities.Limit, _ answer: String, _ path: String, _ reason: String)
        throws
    {
        let scenario = try oneScenario("{request: {path: \(path)}}", answer: answer)
        for declared in DriverCapabilities.Limit.allCases {
            var abilities = SubjectAbilities()
            abilities.refuses.limits = [declared]
            #expect(scenario.obstacle(outside: abilities) == (declared == limit ? reason : nil))
        }
        #expect(scenario.obstacle(outside: SubjectAbilities()) == nil)
    }

    @Test(
        "A scenario within all limits is not skipped",
        arguments: [
            ("{fields: {X: cafe}}", "/a"), ("{}", "/a, query: x"),
            ("{interim: [{status: 100}]}", "/a"), ("{faults: interim=100@before-head}", "/a"),
            ("{faults: close@head}", "/a"), ("{faults: reset@head:12}", "/a"),
            ("{body: one, faults: close@body:1}", "/a"), ("{faults: garbage=x@head:17}", "/a"),
        ]
    )
    func within(_ answer: String, _ path: String) throws {
        var abilities = SubjectAbilities()
        abilities.refuses.limits = Set(DriverCapabilities.Limit.allCases)
        let scenario = try oneScenario("{request: {path: \(path)}}", answer: answer)
        #expect(scenario.obstacle(outside: abilities) == nil)
    }

    private static let all =
        "{" + DriverCapabilities.Limit.allCases.map { "\"\($0.rawValue)\":true" }.joined(separator: ",") + "}"

    @Test("The check of a driver names the limit to declare, and skips what is declared")
    func check() throws {
        let limits = DriverCapabilities.Limit.allCases.map(\.rawValue)
        let problems = try Self.check(refuses: "{}").compactMap(\.problem)
        let advised = limits.filter { limit in
            problems.contains { $0.hasSuffix("add \"\(limit)\": true to \"refuses\"") }
        }
        #expect(advised == limits, "\(problems)")
        let skipped = try Self.check(refuses: Self.all).compactMap(\.skipped)
        #expect(limits.filter { skipped.contains("The driver has the limit \"\($0)\".") } == limits)
    }

    @Test("A driver that ends at the check of a limit is advised to declare none")
    func noAdvice() throws {
        let steps = try Self.check(refuses: "{}", endsAt: "/marked")
        let problem = try #require(steps.last?.problem)
        #expect(problem.contains("exited with status 3"), "\(problem)")
        #expect(!steps.contains { $0.problem?.contains("true to \"refuses\"") == true })
    }

    @Test("A driver that ends at the check of a limit that it declares has it, and is checked further")
    func confirmed() throws {
        let steps = try Self.check(refuses: Self.all, endsAt: "/half")
        #expect(steps.compactMap(\.skipped).contains("The driver has the limit \"premature-close\"."))
        #expect(steps.last?.title == "it ends when its standard input ends")
    }

    @Test("A limit that a driver declares and does not have is noted, and no failure")
    func needless() throws {
        let steps = try Self.check(refuses: Self.all, reply: #""error":{"kind":"unknown","text":"no"}"#)
        let notes = steps.filter { $0.note != nil }
        #expect(notes.allSatisfy { $0.problem == nil && $0.skipped == nil })
        let limits = ["premature-close", "invalid-length"]
        let expected = limits.map { "it declares \"\($0)\" in \"refuses\", but does not need it" }
        #expect(notes.map(\.note) == expected)
    }

    private static func limits(_ refuses: String) throws -> Set<DriverCapabilities.Limit>? {
        let line =
            #"{"id":1,"protocol":1,"name":"t","version":"1","kind":"none","capabilities":[],"refuses":{"#
            + refuses + "}}"
        return try DriverReply.decode(Array(line.utf8), file: "r").hello?.refuses.limits
    }

    /// Checks a driver that answers every request by itself, by default with an interim response, and ends at that for a path.
    private static func check(
        refuses: String,
        reply: String = #""response":{"status":103,"fields":[]}"#,
        endsAt path: String = "/none"
    ) throws -> [DriverCheck.Step] {
        let script = #"""
            read l
            echo '{"id":1,"protocol":1,"name":"t","version":"1","kind":"private","capabilities":[],"refuses":REFUSES}'
            while read -r l; do
                case $l in *ENDS*) exit 3 ;; esac
                id=${l#*:}
                case $l in *'"reset"'*) echo "{\"id\":${id%%,*}}" ;; *) echo "{\"id\":${id%%,*},"'REPLY}' ;; esac
            done
            """#
        var steps: [DriverCheck.Step] = []
        let parts = [("REFUSES", refuses), ("REPLY", reply), ("ENDS", path)]
        let command = ["/bin/sh", "-c", parts.reduce(script) { $0.replacing($1.0, with: $1.1) }]
        _ = try DriverCheck(command).run { steps.append($0) }
        return steps
    }
}
