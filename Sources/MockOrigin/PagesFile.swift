public import LocatedYAML

/// A configuration file of pages: a map from paths to maps from settings to values.
public enum PagesFile {
    /// Reads the file's text; throws every problem of the file at once, each with its place.
    public static func decode(_ text: String, file: String) throws(YAMLProblems) -> [String: [PageSetting]] {
        let root = try YAMLNode.parse(text, file: file)
        let problems = ProblemCollector()
        var pages: [String: [PageSetting]] = [:]
        if let pairs = root.pairs {
            for pair in pairs { pages[pair.key] = page(pair, problems) }
        } else {
            problems.add(at: root.position, found: root.summary, expected: "a map from paths to settings")
        }
        try problems.throwIfAny()
        return pages
    }

    private static func page(_ pair: YAMLPair, _ problems: ProblemCollector) -> [PageSetting] {
        if !DemoSite.paths.contains(pair.key) {
            let expected = "one of \(DemoSite.paths.joined(separator: ", "))"
            problems.add(at: pair.keyPosition, found: "page \(YAMLNode.quoted(pair.key))", expected: expected)
        }
        guard let settings = pair.value.pairs else {
            problems.add(at: pair.value.position, found: pair.value.summary, expected: "a map of settings")
            return []
        }
        return settings.compactMap { setting($0, of: pair.key, problems) }
    }

    private static func setting(
        _ pair: YAMLPair,
        of page: String,
        _ problems: ProblemCollector
    ) -> PageSetting? {
        if pair.key == "format", page != DemoSite.imagePath {
            let expected = "it under \(DemoSite.imagePath) only"
            problems.add(at: pair.keyPosition, found: "setting \"format\"", expected: expected)
            return nil
        }
        guard let text = pair.value.scalarText else {
            problems.add(at: pair.value.position, found: pair.value.summary, expected: "a value as text")
            return nil
        }
        let setting = PageSetting(name: pair.key, value: text)
        do {
            try setting.check()
            return setting
        } catch {
            let isKnown = PageSetting.names.contains(pair.key)
            problems.add(
                at: isKnown ? pair.value.position : pair.keyPosition,
                found: isKnown ? YAMLNode.quoted(text) : "setting \(YAMLNode.quoted(pair.key))",
                expected: error.expected
            )
            return nil
        }
    }
}
