package import LocatedYAML
import OriginScript

/// The state while one scenario is decoded.
package final class ScenarioReading {
    /// Collects the problems.
    package let problems: ProblemCollector
    let language: ScenarioLanguage
    /// The grammars of the extensions, by their keys.
    private(set) var grammars: [String: ExtensionGrammar] = [:]
    /// The scenario's routes, to which steps refer by label.
    var routes: [Route] = []
    /// The labels of the requests read so far.
    var labels: Set<String> = []

    init(problems: ProblemCollector, language: ScenarioLanguage) {
        self.problems = problems
        self.language = language
        for added in language.extensions { grammars[added.key] = added.grammar(self) }
    }

    private var catalogue: RuleCatalogue { language.catalogue }

    /// Reads the label of a route.
    var routeLabel: Reader<String> {
        Reader.text.when(
            { [routes] label in routes.contains { $0.label == label } },
            expected: "the label of a route: " + routes.map(\.label).joined(separator: ", ")
        )
    }

    /// Reads the label of an earlier request.
    var requestLabel: Reader<String> {
        let known = labels.isEmpty ? "there is none" : labels.sorted().joined(separator: ", ")
        return Reader.text.when(
            { [labels] in labels.contains($0) },
            expected: "the label of an earlier request (\(known))"
        )
    }

    /// Names of degenerate clients, each with the reason why it passes.
    var passesFor: Reader<[DegenerateClient: String]> {
        Reader { node, problems in
            guard let texts = Reader<[String: String]>.textMap.read(node, problems) else { return nil }
            var reasons: [DegenerateClient: String] = [:]
            for (name, reason) in texts {
                guard let client = DegenerateClient(rawValue: name), !reason.isEmpty else {
                    problems.add(
                        at: node.position,
                        found: "\(YAMLNode.quoted(name)) with the reason \(YAMLNode.quoted(reason))",
                        expected: DegenerateClient.allCases.map(\.rawValue).joined(separator: ", ")
                            + ", each with a reason"
                    )
                    continue
                }
                reasons[client] = reason
            }
            return reasons
        }
    }

    /// The id of a rule in the catalogue.
    var rule: Reader<String> {
        Reader { [language] node, problems in
            let catalogue = language.catalogue
            guard let id = Reader.text.read(node, problems) else { return nil }
            if catalogue[id] != nil { return id }
            problems.add(
                at: node.position,
                found: "undefined rule \(YAMLNode.quoted(id))",
                expected: catalogue.nearest(to: id).map { "\"\($0)\"" }
                    ?? language.knownRules
            )
            return nil
        }
    }

    /// Reads rules that findings can name: one, a list, or a map of them to whether they held.
    var findings: Reader<[FindingExpectation]> {
        Reader { [findingRule] node, problems in
            guard let pairs = node.pairs, !pairs.isEmpty else {
                return findingRule.map { FindingExpectation(rule: $0) }.oneOrMore().read(node, problems)
            }
            return pairs.compactMap { pair in
                let name = YAMLNode(.scalar(YAMLScalar(pair.key, isPlain: false)), at: pair.keyPosition)
                guard let rule = findingRule.read(name, problems),
                    let held = Reader.bool.read(pair.value, problems)
                else { return nil }
                return FindingExpectation(rule: rule, held: held)
            }
        }
    }

    /// Reads the id of a rule that findings can name.
    private var findingRule: Reader<String> {
        Reader { [catalogue, rule] node, problems in
            guard let id = rule.read(node, problems) else { return nil }
            if catalogue[id]?.isSpecification == true { return id }
            problems.add(
                at: node.position,
                found: "\(YAMLNode.quoted(id)), a rule of no specification",
                expected: "a rule that findings name, such as \"rfc9111.4.2.fresh\""
            )
            return nil
        }
    }
}
