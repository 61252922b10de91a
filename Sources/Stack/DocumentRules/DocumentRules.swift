import CacheSemantics
package import LocatedYAML
package import Scenarios

/// The rules of the documents, from the built-in file `document-rules.yaml`.
package enum DocumentRules {
    /// Returns the rules in the order of the file; throws the file's problems.
    package static func load() throws(YAMLProblems) -> [CatalogueRule] {
        try decode(EmbeddedFiles.document_rules_yaml, file: "document-rules.yaml").rules
    }

    /// Decodes the titles of the documents and the rules of a file.
    package static func decode(_ text: String, file: String) throws(YAMLProblems) -> DocumentRuleFile {
        let problems = ProblemCollector()
        let decoded = DocumentRuleFile(try YAMLNode.parse(text, file: file), problems)
        try problems.throwIfAny()
        return decoded
    }
}

/// The content of a file of rules.
package struct DocumentRuleFile {
    /// The titles of the documents.
    package private(set) var documents: [String] = []
    /// The rules, with unique ids.
    package private(set) var rules: [CatalogueRule] = []

    fileprivate init(_ root: YAMLNode, _ problems: ProblemCollector) {
        guard let map = MapReader<FileKey>(root, problems) else { return }
        documents = map.required(.documents, Reader.text.list()) ?? []
        let located = map.required(.rules, Self.rule(of: documents).located().list()) ?? []
        rules = located.map(\.value)
        problems.addDuplicates(of: "id", in: located.map { Located($0.value.id, at: $0.position) })
    }

    private static func rule(of documents: [String]) -> Reader<CatalogueRule> {
        Reader { node, problems in
            guard let map = MapReader<RuleKey>(node, problems) else { return nil }
            let id = map.required(.id, .text)
            let sentence = map.required(.sentence, .text)
            let level = map.required(.level, Reader<RuleLevel>.choice)
            let verdict = map.required(.verdict, Reader<DocumentVerdict>.choice)
            let kind = map.required(.kind, Reader.word(of: ["wire", "api", "unit", "fs", "log", "conc"]))
            let source = map.required(.from, source(in: documents))
            guard let id, let sentence, let level, let verdict, let kind, let source else { return nil }
            var rule = CatalogueRule(id: id, level: level, source: source, sentence: sentence)
            (rule.verdict, rule.kind) = (verdict, kind)
            rule.unviolableReason = map.optional(.unviolable, .text)
            return rule
        }
    }

    /// Reads titles of documents with their sections, as `Title: section, section; title: section`.
    private static func source(in documents: [String]) -> Reader<String> {
        Reader { node, problems in
            guard let pairs = node.pairs, !pairs.isEmpty else {
                problems.add(node, expected: "documents and their sections")
                return nil
            }
            for pair in pairs where !documents.contains(pair.key) {
                let found = "the document \(YAMLNode.quoted(pair.key))"
                problems.add(at: pair.keyPosition, found: found, expected: "a title of \"documents\"")
            }
            return pairs.map { sections($0, problems) }.joined(separator: "; ")
        }
    }

    private static func sections(_ pair: YAMLPair, _ problems: ProblemCollector) -> String {
        let sections = Reader.text.oneOrMore().read(pair.value, problems) ?? []
        return "\(pair.key): \(sections.joined(separator: ", "))"
    }
}

private enum FileKey: String, MapKey {
    case documents, rules
    static let mapName = "a file of rules"
}

private enum RuleKey: String, MapKey {
    case id, sentence, level, verdict, kind, from, unviolable
    static let mapName = "a rule of the documents"
}
