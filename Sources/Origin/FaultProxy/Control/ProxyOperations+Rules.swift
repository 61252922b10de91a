import ControlServing
import JSON
import LocatedYAML
import OriginScript

/// The rules of a proxy.
extension ProxyOperations {
    var rules: [ControlOperation] { wholeRules + singleRules }

    private var wholeRules: [ControlOperation] {
        [
            ControlOperation(
                .get("/rules"),
                "listRules",
                "Shows the rules, the number of requests that each has matched, and the states.",
                answers: "ShownRules"
            ) { [context] _ in .json(Self.shown(context.rules)) },
            ControlOperation(
                .put("/rules"),
                "setRules",
                "Replaces the rules and the faults of their file; equal rules keep their progress.",
                answers: "ShownRules"
            ) { [context] request throws(ControlProblem) in
                let node = try request.json()
                do throws(YAMLProblems) {
                    context.use(try ProxyRuleFile.decode(node))
                } catch {
                    throw ControlProblem(error)
                }
                return .json(Self.shown(context.rules))
            }.with { $0.content = .schema("Rules") },
            ControlOperation(.delete("/rules"), "removeRules", "Removes all rules and their faults.") {
                [context] _ in
                context.use(.empty)
                return .done
            },
        ]
    }

    private var singleRules: [ControlOperation] {
        [
            ControlOperation(
                .post("/rules"),
                "addRules",
                "Adds a rule, or a list of rules, before the others.",
                answers: "Labels"
            ) { [context] request throws(ControlProblem) in
                let node = try request.json()
                let added = try context.rules.change { rules throws(ControlProblem) in
                    let new = try Self.new(node, beside: rules.map(\.route.label))
                    rules = new + rules
                    return new.map(\.route.label)
                }
                context.publish("rules")
                return .json(status: 201, ["labels": JSONValue(added)])
            }.with { ($0.status, $0.content) = (201, .schema("RuleOrRules")) },
            ControlOperation(
                .put("/rules/{label}"),
                "replaceRule",
                "Replaces a rule, keeping its position.",
                answers: "Labels"
            ) { [context] request throws(ControlProblem) in
                let (node, label) = (try request.json(), request.parameter("label"))
                try context.rules.change { rules throws(ControlProblem) in
                    let place = try Self.place(of: label, rules)
                    guard var rule = try Self.new(node, beside: []).first else { return }
                    rule.route.label = label
                    rules[place] = rule
                }
                context.publish("rules")
                return .json(["labels": [.string(label)]])
            }.with { $0.content = .schema("Rule") },
            ControlOperation(.delete("/rules/{label}"), "removeRule", "Removes a rule.") {
                [context] request throws(ControlProblem) in
                let label = request.parameter("label")
                try context.rules.change { rules throws(ControlProblem) in
                    rules.remove(at: try Self.place(of: label, rules))
                }
                context.publish("rules")
                return .done
            },
        ]
    }

    private static func place(of label: String, _ rules: [ProxyRule]) throws(ControlProblem) -> Int {
        if let index = rules.firstIndex(where: { $0.route.label == label }) { return index }
        throw ControlProblem(status: 404, "There is no rule \"\(label)\"; GET /rules lists all.")
    }

    /// Decodes a rule or a list of rules; one without a label gets the first number that is free.
    private static func new(_ node: YAMLNode, beside labels: [String]) throws(ControlProblem) -> [ProxyRule] {
        let problems = ProblemCollector()
        let rules = ProxyRule.decode(node.elements ?? [node], beside: labels, problems)
        do throws(YAMLProblems) { try problems.throwIfAny() } catch { throw ControlProblem(error) }
        return rules
    }

    private static func shown(_ rules: RuleTable) -> JSONValue {
        let list = zip(rules.file.rules, rules.requestCounts).map { rule, count -> JSONValue in
            [
                "label": .string(rule.route.label), "path": .string(rule.route.path.description),
                "methods": JSONValue(rule.route.methods), "priority": .integer(rule.route.priority),
                "requests": .integer(count), "rule": rule.written.map { JSONValue($0) } ?? .null,
            ]
        }
        let states = rules.states.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return ["rules": .array(list), "states": .object(states)]
    }
}
