public import LocatedYAML

/// The keys of a route.
package enum RouteKey: String, MapKey {
    case path, method, query, label, answer, answers
    package static let mapName = "a route"
}

extension Route {
    /// A route for every request that answers 200 with no content, as a script without routes has.
    public static let standard = Route(label: "1", answers: [Answer()])

    /// A list of routes.
    public static var listReader: Reader<[Route]> { Reader(decodeAll) }

    /// Reads a list of routes, whose labels differ.
    public static func decodeAll(_ node: YAMLNode, _ problems: ProblemCollector) -> [Route]? {
        guard let nodes = node.elements, !nodes.isEmpty else {
            let found = node.elements == nil ? node.summary : "an empty list"
            problems.add(at: node.position, found: found, expected: "a list of routes")
            return nil
        }
        var routes: [Route] = []
        for (index, node) in nodes.enumerated() {
            guard let route = decode(node, place: index + 1, problems) else { continue }
            if routes.contains(where: { $0.label == route.label }) {
                let label = YAMLNode.quoted(route.label)
                problems.add(
                    at: node.value(of: RouteKey.label.rawValue)?.position ?? node.position,
                    found: "label \(label) of another route",
                    expected: "a label of its own"
                )
            }
            routes.append(route)
        }
        return routes
    }

    /// Reads a route; `place` counts from 1 and is its label where it has no other.
    public static func decode(
        _ node: YAMLNode,
        place: Int,
        _ problems: ProblemCollector
    ) -> Route? {
        guard let map = MapReader<RouteKey>(node, problems) else { return nil }
        let label = Reader.text.when({ $0 != "all" && !$0.isEmpty }, expected: "a label other than \"all\"")
        return Route(
            label: map.optional(.label, label) ?? String(place),
            path: map.optional(.path, PathPattern.reader) ?? .any,
            methods: map.optional(.method, Reader.method.oneOrMore()) ?? [],
            query: map.optional(.query, .query),
            answers: decodeAnswers(map)
        )
    }

    private static func decodeAnswers(_ map: MapReader<RouteKey>) -> [Answer] {
        guard (map[.answer] == nil) != (map[.answers] == nil) else {
            let found = map[.answer] == nil ? "a route without an answer" : "both \"answer\" and \"answers\""
            map.problems.add(at: map.position, found: found, expected: "one of \"answer\" and \"answers\"")
            return [Answer()]
        }
        if map[.answer] != nil { return [map.optional(.answer, Answer.reader) ?? Answer()] }
        let answers = map.optional(.answers, Answer.reader.list()) ?? [Answer()]
        if answers.isEmpty, let node = map[.answers], node.elements?.isEmpty == true {
            map.problems.add(at: node.position, found: "an empty list", expected: "at least one answer")
        }
        return answers.isEmpty ? [Answer()] : answers
    }
}

extension PathPattern {
    /// An exact path, a prefix that ends in `*`, or `*` alone.
    public static var reader: Reader<PathPattern> {
        Reader { node, problems in
            if node.scalarText == "*" { return .any }
            return Reader.path.read(node, problems).map { path in
                path.hasSuffix("*") ? .prefix(String(path.dropLast())) : .exact(path)
            }
        }
    }
}
