import ControlServing
import JSON
import LocatedYAML

/// The operations of a lab's API.
struct LabOperations: Sendable {
    let lab: CachingLab
    let lessons: [Lesson]
    let token: AccessToken

    var all: [ControlOperation] { pages + [state, act, reset, list, begin, step] }

    private enum ActionKey: String, MapKey {
        case action
        static let mapName = "an action"
    }
    private enum ResetKey: String, MapKey {
        case respond
        static let mapName = "a reset"
    }

    private var state: ControlOperation {
        operation(.get("/state"), "readState", "Shows the clock, the origin and the caches.", "State") {
            [lab] _ in .json(lab.state)
        }
    }

    private var act: ControlOperation {
        operation(.post("/actions"), "act", "Performs an action; shows what happened and why.", "Performed") {
            [lab] request throws(ControlProblem) in
            let text = try request.read(ActionKey.self) { $0.required(.action, .text) ?? "" }
            let action = try Self.parsed("action") { () throws(LabProblem) in try LabAction(text) }
            let result = await lab.perform(action)
            return .json(["results": [result.json], "state": lab.state])
        }.with { $0.content = Self.object([("action", "string")]) }
    }

    private var reset: ControlOperation {
        operation(.post("/reset"), "reset", "Empties the caches and restores the origin.", "State") {
            [lab] request throws(ControlProblem) in
            let text = try request.read(ResetKey.self) { $0.optional(.respond, .text) ?? "" }
            await lab.reset(try Self.parsed("respond") { () throws(LabProblem) in try LabResource(text) })
            return .json(lab.state)
        }.with { $0.content = Self.object([("respond", "string")]) }
    }

    private var list: ControlOperation {
        operation(.get("/lessons"), "listLessons", "Lists the lessons.", "Lessons") { [lessons] _ in
            .json(["lessons": .array(lessons.map(\.json))])
        }
    }

    private var begin: ControlOperation {
        operation(.post("/lessons/{name}"), "beginLesson", "Begins a lesson from an empty lab.", "State") {
            [lab] request throws(ControlProblem) in
            await lab.begin(try lesson(request))
            return .json(lab.state)
        }
    }

    private var step: ControlOperation {
        operation(
            .post("/lessons/{name}/steps/{number}"),
            "performStep",
            "Performs a step of a lesson, numbered from 1, and checks what it shows.",
            "Performed"
        ) { [lab] request throws(ControlProblem) in
            let lesson = try lesson(request)
            let text = request.parameter("number")
            guard let number = Int(text), lesson.steps.indices.contains(number - 1) else {
                throw .value("step", found: text, expected: "1 to \(lesson.steps.count)")
            }
            let (results, checks) = await lab.perform(lesson.steps[number - 1])
            return .json([
                "results": .array(results.map(\.json)), "checks": .array(checks.map(\.json)),
                "state": lab.state,
            ])
        }
    }

    private func lesson(_ request: ControlRequest) throws(ControlProblem) -> Lesson {
        let name = request.parameter("name")
        guard let lesson = lessons.first(where: { $0.name == name }) else {
            throw .value("lesson", found: name, expected: lessons.map(\.name).joined(separator: ", "))
        }
        return lesson
    }

    private func operation(
        _ endpoint: ControlEndpoint,
        _ name: String,
        _ summary: String,
        _ answer: String,
        action: @escaping ControlOperation.Action
    ) -> ControlOperation {
        ControlOperation(endpoint, name: name, summary, action: action).with {
            $0.answer = ["$ref": .string("#/components/schemas/\(answer)")]
        }
    }

    private static func parsed<Value>(
        _ place: String,
        _ parse: () throws(LabProblem) -> Value
    ) throws(ControlProblem) -> Value {
        do throws(LabProblem) {
            return try parse()
        } catch {
            throw .value(place, found: error.found, expected: error.expected)
        }
    }
}

extension LabOperations {
    /// The schemas of the API's document.
    static let schemas: JSONValue = [
        "State": object([
            ("now", "string"), ("seconds", "number"), ("running", "boolean"), ("url", "string"),
            ("originURL", "string"), ("origin", "object"), ("caches", "array"),
        ]),
        "Performed": object([("results", "array"), ("state", "object")]),
        "Lessons": object([("lessons", "array")]),
    ]

    /// Returns the schema of an object with these members, by name and type.
    static func object(_ members: [(String, String)]) -> JSONValue {
        ["type": "object", "properties": .object(members.map { ($0.0, ["type": .string($0.1)]) })]
    }
}

extension Lesson {
    fileprivate var json: JSONValue {
        let steps = steps.map { step -> JSONValue in
            [
                "text": .string(step.text), "actions": JSONValue(step.actions.map(\.text)),
                "shows": .string(step.shows),
            ]
        }
        return [
            "name": .string(name), "title": .string(title), "summary": .string(summary),
            "sections": JSONValue(sections), "respond": .string("\(resource)"), "steps": .array(steps),
        ]
    }
}

extension CheckedLesson {
    fileprivate var json: JSONValue {
        ["expected": .string(expected), "found": .string(found), "holds": .bool(holds)]
    }
}
