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

    @Test("The check of a driver names the limit to declare, and skips what is declared")
    func check() throws {
        let limits = DriverCapabilities.Limit.allCases.map(\.rawValue)
        let problems = try Self.check(refuses: "{}").compactMap(\.problem)
        for limit in limits {
            #expect(
                problems.contains { $0.hasSuffix("add \"\(limit)\": true to \"refuses\"") },
                "\(problems)"
            )
        }
        let all = limits.map { "\"\($0)\":true" }.joined(separator: ",")
        let skipped = try Self.check(refuses: "{\(all)}").compactMap(\.skipped)
        for limit in limits {
            #expect(skipped.contains("The driver has the limit \"\(limit)\"."), "\(skipped)")
        }
        #expect(limits.count == 5)
    }

    private static func limits(_ refuses: String) throws -> Set<DriverCapabilities.Limit>? {
        let line =
            #"{"id":1,"protocol":1,"name":"t","version":"1","kind":"none","capabilities":[],"refuses":{"#
            + refuses + "}}"
        return try DriverReply.decode(Array(line.utf8), file: "r").hello?.refuses.limits
    }

    /// Checks a driver that answers every request with an interim response of its own, without sending it.
    private static func check(refuses: String) throws -> [DriverCheck.Step] {
        let script = #"""
            read l
            echo '{"id":1,"protocol":1,"name":"t","version":"1","kind":"private","capabilities":[],"refuses":REFUSES}'
            while read -r l; do
                id=${l#*:}
                echo "{\"id\":${id%%,*},\"response\":{\"status\":103,\"fields\":[]}}"
            done
            """#
        var steps: [DriverCheck.Step] = []
        let command = ["/bin/sh", "-c", script.replacing("REFUSES", with: refuses)]
        _ = try DriverCheck(command).run { steps.append($0) }
        return steps
    }
}
