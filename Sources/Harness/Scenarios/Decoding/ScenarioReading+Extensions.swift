import CacheSemantics
import LocatedYAML

extension ScenarioReading {
    /// Decodes the settings of the extensions, by their keys; ignores other keys of `node`.
    func extensionSettings(
        _ node: YAMLNode,
        _ prepared: (YAMLNode) -> YAMLNode = { $0 }
    ) -> [String: any Sendable] {
        var settings: [String: any Sendable] = [:]
        for (key, grammar) in grammars {
            settings[key] = node.value(of: key).flatMap { grammar.settings(prepared($0)) }
        }
        return settings
    }

    /// Reports parts of extensions that are missing at the end of a scenario.
    func endExtensions() {
        for grammar in grammars.values { grammar.end() }
    }

    /// Returns the first extension whose key a step has; `nil` for a step of the language itself.
    func extensionOfStep(_ node: YAMLNode) -> (any ScenarioExtension)? {
        language.extensions.first { node.value(of: $0.key) != nil }
    }

    /// Decodes an extension's step: its only key contains one kind of step and the expectation.
    func addedStep(_ node: YAMLNode, by owner: any ScenarioExtension) -> Step? {
        guard let pairs = node.pairs, pairs.count == 1, let value = pairs.first?.value,
            let kinds = grammars[owner.key]?.kinds
        else {
            let found = node.pairs.map { Self.quoted($0.map(\.key), " with ") } ?? node.summary
            let expected = "\"\(owner.key)\" alone, with its expectations below it"
            problems.add(at: node.position, found: found, expected: expected)
            return nil
        }
        guard let (kind, content) = addedKind(value, kinds, of: owner) else { return nil }
        let expect = value.pairs?.first { $0.key == StepKey.expect.rawValue }
        refuse(expect, of: kind, among: kinds)
        return kind.read(content, kind.takesExpectation ? expect?.value : nil).map { .added($0, by: owner) }
    }

    private func addedKind(_ node: YAMLNode, _ kinds: [StepKind], of owner: any ScenarioExtension)
        -> (StepKind, YAMLNode)?
    {
        let pairs = (node.pairs ?? []).filter { $0.key != StepKey.expect.rawValue }
        guard pairs.count == 1, let pair = pairs.first else {
            problems.add(
                at: node.position,
                found: pairs.isEmpty ? node.summary : Self.quoted(pairs.map(\.key), " with "),
                expected: "one kind of step below \"\(owner.key)\""
                    + (kinds.first.map { ", such as {\($0.key): \($0.example)}" } ?? "")
            )
            return nil
        }
        if let kind = kinds.first(where: { $0.key == pair.key }) { return (kind, pair.value) }
        problems.add(
            at: pair.keyPosition,
            found: "unknown key \(YAMLNode.quoted(pair.key)) in a step of \"\(owner.key)\"",
            expected: NearestKey.expected(for: pair.key, among: kinds.map(\.key))
        )
        return nil
    }

    private func refuse(_ expect: YAMLPair?, of kind: StepKind, among kinds: [StepKind]) {
        guard let expect, !kind.takesExpectation else { return }
        problems.add(
            at: expect.keyPosition,
            found: "\"expect\" with \"\(kind.key)\"",
            expected: "\"expect\" with "
                + NearestKey.alternatives(kinds.filter(\.takesExpectation).map(\.key))
        )
    }

    /// Reports a kind of step of an extension among steps of the language; returns whether there is one.
    func refuseBareKind(_ node: YAMLNode) -> Bool {
        for (owner, grammar) in grammars.sorted(by: { $0.key < $1.key }) {
            for kind in grammar.kinds where StepKey(rawValue: kind.key) == nil {
                guard let pair = node.pairs?.first(where: { $0.key == kind.key }) else { continue }
                problems.add(
                    at: pair.keyPosition,
                    found: "\"\(kind.key)\" as a step",
                    expected: "it below \"\(owner)\": {\(owner): {\(kind.key): \(kind.example)}}"
                )
                return true
            }
        }
        return false
    }

    private static func quoted(_ keys: [String], _ separator: String) -> String {
        keys.map { "\"\($0)\"" }.joined(separator: separator)
    }
}

extension Step {
    /// The extension that the step belongs to; `nil` if it belongs to the language.
    var owner: (any ScenarioExtension)? {
        if case .added(_, let owner) = self { owner } else { nil }
    }
}
