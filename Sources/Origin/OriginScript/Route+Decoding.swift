package import LocatedYAML

/// The keys of a route.
package enum RouteKey: String, MapKey {
    case path, method, query, fields, body, priority, after, until, when, then, auth, label, answer, answers,
        loop
    package static let mapName = "a route"
}

extension Route {
    /// A route for every request that answers 200 with no content, as a script without routes has.
    public static let standard = Route(label: "1", answers: [Answer()])

    /// A list of routes.
    package static var listReader: Reader<[Route]> { Reader { decodeAll($0, $1) } }

    /// Reads a list of routes, whose labels differ from each other and from those of `earlier` routes.
    ///
    /// With `passes`, answers may pass requests to an upstream.
    package static func decodeAll(
        _ node: YAMLNode,
        _ problems: ProblemCollector,
        after earlier: [Route] = [],
        passes: Bool = false
    ) -> [Route]? {
        guard let nodes = node.elements, !nodes.isEmpty else {
            let found = node.elements == nil ? node.summary : "an empty list"
            problems.add(at: node.position, found: found, expected: "a list of routes")
            return nil
        }
        var routes: [Route] = []
        var labels = Set(earlier.map(\.label))
        for (index, node) in nodes.enumerated() {
            guard let route = decode(node, place: earlier.count + index + 1, problems, passes: passes)
            else { continue }
            if !labels.insert(route.label).inserted {
                let label = YAMLNode.quoted(route.label)
                problems.add(
                    at: node.value(of: RouteKey.label.rawValue)?.position ?? node.position,
                    found: "label \(label) of another route",
                    expected: "a unique label"
                )
            }
            routes.append(route)
        }
        return routes
    }

    /// Reads a route; `place` counts from 1 and is its label where it has no other.
    ///
    /// With `passes`, answers may pass requests to an upstream.
    package static func decode(
        _ node: YAMLNode,
        place: Int,
        _ problems: ProblemCollector,
        passes: Bool = false
    ) -> Route? {
        guard let map = MapReader<RouteKey>(node, problems) else { return nil }
        let label = Reader.text.when({ $0 != "all" && !$0.isEmpty }, expected: "a label other than \"all\"")
        var route = Route(
            label: map.optional(.label, label) ?? String(place),
            path: map.optional(.path, PathPattern.reader) ?? .any,
            methods: map.optional(.method, Reader.method.oneOrMore()) ?? [],
            query: map.optional(.query, QueryMatch.reader),
            answers: decodeAnswers(map, passes ? Answer.passingReader : Answer.reader)
        )
        map.set(&route.fields, .fields, NamedMatch.fieldListReader)
        map.set(&route.body, .body, BodyMatch.listReader)
        map.set(&route.priority, .priority, .integer(in: -1000...1000))
        map.set(&route.credentials, .auth, Credentials.reader)
        map.set(&route.loops, .loop, .bool)
        route.readTimes(map)
        map.set(&route.when, .when, states)
        map.set(&route.then, .then, states)
        return route
    }

    private mutating func readTimes(_ map: MapReader<RouteKey>) {
        map.set(&after, .after, .duration)
        map.set(&until, .until, .duration)
        if let after, let until, until <= after {
            map.problems.add(
                at: map[.until]?.position ?? map.position,
                found: "an end that is not after the start",
                expected: "\"until\" later than \"after\""
            )
        }
    }

    /// A map of machines to states.
    private static var states: Reader<[String: String]> {
        Reader { node, problems in
            guard let pairs = node.pairs else {
                problems.add(node, expected: "a map of machines to states")
                return nil
            }
            var states: [String: String] = [:]
            for pair in pairs { states[pair.key] = Reader.text.read(pair.value, problems) }
            return states
        }
    }

    private static func decodeAnswers(_ map: MapReader<RouteKey>, _ reader: Reader<Answer>) -> [Answer] {
        guard (map[.answer] == nil) != (map[.answers] == nil) else {
            let found = map[.answer] == nil ? "a route without an answer" : "both \"answer\" and \"answers\""
            map.problems.add(at: map.position, found: found, expected: "one of \"answer\" and \"answers\"")
            return [Answer()]
        }
        if map[.answer] != nil { return [map.optional(.answer, reader) ?? Answer()] }
        let answers = map.optional(.answers, reader.list()) ?? [Answer()]
        if answers.isEmpty, let node = map[.answers], node.elements?.isEmpty == true {
            map.problems.add(at: node.position, found: "an empty list", expected: "at least one answer")
        }
        return answers.isEmpty ? [Answer()] : answers
    }
}
