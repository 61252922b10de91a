import CacheSemantics
package import LocatedYAML

/// Reads the rules of a project: `rules`, a list of maps with `id`, `level`, `source`, `sentence` and `link`.
package enum RuleFile {
    /// Returns the rules of a file's text, in its order.
    ///
    /// An id is two or more names between dots, such as `ours.purge`, of which the first is no family of rules in
    /// `catalogue`, so that a later version of the catalogue cannot define it. Throws every problem.
    package static func rules(
        text: String,
        file: String,
        besides catalogue: RuleCatalogue
    ) throws(YAMLProblems) -> [CatalogueRule] {
        let root = try YAMLNode.parse(text, file: file)
        let problems = ProblemCollector()
        let reader = reader(besides: catalogue.families).located().list()
        let found = MapReader<RuleFileKey>(root, problems)?.required(.rules, reader) ?? []
        problems.addDuplicates(of: "id", in: found.map { Located($0.value.id, at: $0.position) })
        try problems.throwIfAny()
        return found.map(\.value)
    }

    private static func reader(besides families: Set<String>) -> Reader<CatalogueRule> {
        Reader { node, problems in
            guard let map = MapReader<OwnRuleKey>(node, problems) else { return nil }
            let id = map.required(.id, id(besides: families))
            let level = map.required(.level, Reader<RuleLevel>.choice)
            let source = map.required(.source, line)
            let sentence = map.required(.sentence, line)
            let page = map.optional(.link, link)
            guard let id, let level, let source, let sentence else { return nil }
            var rule = CatalogueRule(id: id, level: level, source: source, sentence: sentence)
            (rule.isOwn, rule.page) = (true, page)
            return rule
        }
    }

    private static func id(besides families: Set<String>) -> Reader<String> {
        Reader.text.when(
            { id in
                let names = id.split(separator: ".", omittingEmptySubsequences: false)
                return names.count > 1 && names.allSatisfy(isName) && !families.contains(String(names[0]))
            },
            expected:
                "names of a-z, 0-9 and - with dots between, such as \"ours.purge\"; the first is not one of "
                + families.sorted().joined(separator: ", ")
        )
    }

    private static func isName(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    private static var line: Reader<String> {
        Reader.text.when(
            { !$0.isEmpty && !$0.unicodeScalars.contains { $0.value < 0x20 } },
            expected: "one line of text"
        )
    }

    private static var link: Reader<String> {
        Reader.text.when(
            { text in ["https://", "http://"].contains { text.hasPrefix($0) && text.count > $0.count } },
            expected: "an http or https URL"
        )
    }
}

/// The keys of a file of rules.
enum RuleFileKey: String, MapKey {
    case rules
    static let mapName = "a file of rules"
}

/// The keys of a project's rule.
enum OwnRuleKey: String, MapKey {
    case id, level, source, sentence, link
    static let mapName = "a rule"
}
