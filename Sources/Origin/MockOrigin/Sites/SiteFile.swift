public import LocatedYAML
import OriginScript

/// The keys of a site file, apart from the paths of pages.
package enum SiteKey: String, MapKey {
    case routes, defaults
    package static let mapName = "a site"
}

/// A file that describes a site, in YAML or JSON.
///
/// It is a list of routes, or a map with `routes`, `defaults` for all their answers and for files, and the paths of
/// pages with their settings.
public enum SiteFile {
    /// Decodes the file's text; throws all problems of the file at once, each with its position.
    public static func decode(_ text: String, file: String) throws(YAMLProblems) -> Site {
        var site = Site(files: Site.standardFiles)
        let problems = ProblemCollector()
        add(try parse(text, file: file), to: &site, problems)
        try problems.throwIfAny()
        return site
    }

    /// Parses a `.json` file as JSON, any other as YAML.
    static func parse(_ text: String, file: String) throws(YAMLProblems) -> YAMLNode {
        file.hasSuffix(".json")
            ? try YAMLNode.parse(json: text, file: file) : try YAMLNode.parse(text, file: file)
    }

    /// Adds a file's content to a site; labels of routes are unique in the whole site.
    static func add(_ root: YAMLNode, to site: inout Site, _ problems: ProblemCollector) {
        if root.elements != nil {
            addRoutes(root, to: &site, problems)
        } else if let pairs = root.pairs {
            add(pairs, root, to: &site, problems)
        } else {
            let expected = "a list of routes, or a map with routes, defaults and paths of pages"
            problems.add(root, expected: expected)
        }
    }

    private static func add(
        _ pairs: [YAMLPair],
        _ root: YAMLNode,
        to site: inout Site,
        _ problems: ProblemCollector
    ) {
        for pair in pairs where pair.key.hasPrefix("/") { site.pages[pair.key] = page(pair, problems) }
        let others = YAMLNode(.mapping(pairs.filter { !$0.key.hasPrefix("/") }), at: root.position)
        guard let map = MapReader<SiteKey>(others, problems) else { return }
        let defaults = map[.defaults]
        if let defaults {
            _ = Answer.decode(defaults, problems)
            site.files = files(defaults)
        }
        guard let routes = map[.routes] else { return }
        let complete = defaults.map { Self.complete(routes, with: $0) } ?? routes
        addRoutes(complete, to: &site, problems)
    }

    private static func addRoutes(_ node: YAMLNode, to site: inout Site, _ problems: ProblemCollector) {
        guard let routes = Route.decodeAll(node, problems, after: site.routes, passes: true) else { return }
        site.routes += routes
        // If a route could not be decoded, the site is not served at all.
        for (route, node) in zip(routes, node.elements ?? []) { site.written[route.label] = node }
    }

    // MARK: Defaults

    /// Returns the answer for files, in which the defaults override its own keys.
    private static func files(_ defaults: YAMLNode) -> Answer {
        let folder = YAMLNode(.mapping([pair("folder", ".")]), at: defaults.position)
        let own = [YAMLPair(key: "body", at: defaults.position, value: folder), pair("gzip", "true")]
        let node = YAMLNode(
            .mapping(own.filter { defaults.value(of: $0.key) == nil || $0.key == "body" }),
            at: defaults.position
        )
        // Problems of the defaults were reported at their own position.
        return Answer.decode(filled(node, with: defaults), ProblemCollector()) ?? Site.standardFiles

        func pair(_ key: String, _ text: String) -> YAMLPair {
            let value = YAMLNode(.scalar(YAMLScalar(text, isPlain: true)), at: defaults.position)
            return YAMLPair(key: key, at: defaults.position, value: value)
        }
    }

    /// Adds the defaults to each answer of the routes for keys that it does not set.
    private static func complete(_ routes: YAMLNode, with defaults: YAMLNode) -> YAMLNode {
        guard let elements = routes.elements else { return routes }
        let completed = elements.map { route in
            changed(route) { pair in
                switch pair.key {
                case RouteKey.answer.rawValue: pair.value = filled(pair.value, with: defaults)
                case RouteKey.answers.rawValue:
                    guard let answers = pair.value.elements else { return }
                    pair.value.content = .sequence(answers.map { filled($0, with: defaults) })
                default: break
                }
            }
        }
        return YAMLNode(.sequence(completed), at: routes.position)
    }

    private static func changed(_ node: YAMLNode, _ change: (inout YAMLPair) -> Void) -> YAMLNode {
        guard var pairs = node.pairs else { return node }
        for index in pairs.indices { change(&pairs[index]) }
        return YAMLNode(.mapping(pairs), at: node.position)
    }

    private static func filled(_ answer: YAMLNode, with defaults: YAMLNode) -> YAMLNode {
        // The defaults are those of answers that the site makes itself.
        guard let pairs = answer.pairs, let others = defaults.pairs, answer.value(of: "pass") == nil else {
            return answer
        }
        let missing = others.filter { other in !pairs.contains { $0.key == other.key } }
        return YAMLNode(.mapping(pairs + missing), at: answer.position)
    }

    // MARK: Pages

    /// Decodes the settings of one page.
    static func page(_ pair: YAMLPair, _ problems: ProblemCollector) -> [PageSetting] {
        if !DemoSite.paths.contains(pair.key) {
            let expected = "one of \(DemoSite.paths.joined(separator: ", ")); other paths belong under routes"
            problems.add(at: pair.keyPosition, found: "page \(YAMLNode.quoted(pair.key))", expected: expected)
        }
        guard let settings = pair.value.pairs else {
            problems.add(pair.value, expected: "a map of settings")
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
            let expected = "this setting only under \(DemoSite.imagePath)"
            problems.add(at: pair.keyPosition, found: "setting \"format\"", expected: expected)
            return nil
        }
        guard let text = pair.value.scalarText else {
            problems.add(pair.value, expected: "text")
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
