import ControlServing
import JSON
import LocatedYAML
import OriginScript

extension ControlOperations {
    var routeOperations: [ControlOperation] {
        [
            operation(
                .get("/routes"),
                "listRoutes",
                "Lists the routes in the order in which they are matched.",
                answers: "ShownRoutes"
            ) {
                request throws(ControlProblem) in
                .json(Self.list(try namespace(request)))
            },
            operation(
                .post("/routes"),
                "addRoutes",
                "Adds a route, or a list of routes, before the others.",
                answers: "Labels"
            ) {
                request throws(ControlProblem) in
                let new = try Self.routes(in: request.json(), namespace(request), replacesAll: false)
                try namespace(request).change { site throws(ControlProblem) in site.insert(new) }
                return .json(status: 201, Self.labels(new))
            }.with { ($0.content, $0.status) = (.schema("RouteOrRoutes"), 201) },
            operation(.put("/routes"), "replaceRoutes", "Replaces all routes.", answers: "Labels") {
                request throws(ControlProblem) in
                let new = try Self.routes(in: request.json(), namespace(request), replacesAll: true)
                try namespace(request).change { site throws(ControlProblem) in
                    (site.routes, site.written) = ([], [:])
                    site.insert(new)
                }
                return .json(Self.labels(new))
            }.with { $0.content = .schema("RouteOrRoutes") },
            operation(.get("/routes/{label}"), "readRoute", "Returns a route.", answers: "ShownRoute") {
                request throws(ControlProblem) in
                let (namespace, label) = (try namespace(request), request.parameter("label"))
                guard let route = Self.described(namespace).first(where: { $0.label == label }) else {
                    throw Self.unknown(label)
                }
                return .json(route.value)
            },
            operation(
                .put("/routes/{label}"),
                "replaceRoute",
                "Replaces a route, keeping its position.",
                answers: "Labels"
            ) {
                request throws(ControlProblem) in
                let (node, label) = (try request.json(), request.parameter("label"))
                let route = try Self.route(node, label: label)
                try namespace(request).change { site throws(ControlProblem) in try site.replace(route, node) }
                return .json(["labels": [.string(label)]])
            }.with { $0.content = .schema("Route") },
            operation(.delete("/routes/{label}"), "removeRoute", "Removes a route.") {
                request throws(ControlProblem) in
                let label = request.parameter("label")
                try namespace(request).change { site throws(ControlProblem) in try site.remove(label) }
                return .done
            }.with { $0.status = 204 },
        ]
    }

    /// Returns an operation whose responses are described by a schema.
    func operation(
        _ endpoint: ControlEndpoint,
        _ name: String,
        _ summary: String,
        answers schema: String? = nil,
        _ action: @escaping @Sendable (ControlRequest) async throws(ControlProblem) -> ControlAnswer
    ) -> ControlOperation {
        ControlOperation(endpoint, name: name, summary, action: action).with {
            $0.answer = schema.map(JSONValue.schema)
        }
    }

    static func unknown(_ label: String) -> ControlProblem {
        ControlProblem(status: 404, "There is no route \(YAMLNode.quoted(label)).")
    }

    // MARK: Reading

    /// A route and its source.
    typealias WrittenRoute = (route: Route, node: YAMLNode)

    /// Decodes a route, or a list of routes, whose labels must be unique.
    static func routes(
        in node: YAMLNode,
        _ namespace: OriginNamespace?,
        replacesAll: Bool
    ) throws(ControlProblem) -> [WrittenRoute] {
        let taken = replacesAll ? [] : Set(namespace?.progress.site.routes.map(\.label) ?? [])
        let problems = ProblemCollector()
        let routes = self.routes(in: node, taken: taken, problems)
        do throws(YAMLProblems) { try problems.throwIfAny() } catch { throw ControlProblem(error) }
        return routes
    }

    /// Decodes routes; those without a label get the next unused number.
    static func routes(
        in node: YAMLNode,
        taken: Set<String>,
        _ problems: ProblemCollector
    ) -> [WrittenRoute] {
        var taken = taken
        var number = 1
        var routes: [WrittenRoute] = []
        for node in node.elements ?? [node] {
            while taken.contains("\(number)") { number += 1 }
            guard let route = Route.decode(node, place: number, problems, passes: true) else { continue }
            if !taken.insert(route.label).inserted {
                let found = "label \(YAMLNode.quoted(route.label)) of another route"
                let position = node.value(of: RouteKey.label.rawValue)?.position ?? node.position
                problems.add(at: position, found: found, expected: "a unique label")
            }
            routes.append((route, node))
        }
        return routes
    }

    /// Decodes one route with the given label.
    private static func route(_ node: YAMLNode, label: String) throws(ControlProblem) -> Route {
        let problems = ProblemCollector()
        var route = Route.decode(node, place: 1, problems, passes: true)
        if let own = node.value(of: RouteKey.label.rawValue), own.scalarText != label {
            problems.add(own, expected: "\(YAMLNode.quoted(label)), or none")
        }
        do throws(YAMLProblems) { try problems.throwIfAny() } catch { throw ControlProblem(error) }
        route?.label = label
        guard let route else { throw ControlProblem(status: 422, "The request is invalid.") }
        return route
    }

    // MARK: Writing

    private static func labels(_ routes: [WrittenRoute]) -> JSONValue {
        ["labels": .array(routes.map { .string($0.route.label) })]
    }

    static func list(_ namespace: OriginNamespace) -> JSONValue {
        ["routes": .array(described(namespace).map(\.value))]
    }

    private static func described(_ namespace: OriginNamespace) -> [(label: String, value: JSONValue)] {
        let (site, counts, _) = namespace.progress
        let order = site.routes.indices.sorted { left, right in
            let (first, second) = (site.routes[left].priority, site.routes[right].priority)
            return first == second ? left < right : first > second
        }
        return order.map { index in
            let route = site.routes[index]
            let value: JSONValue = [
                "label": .string(route.label), "path": .string(route.path.description),
                "methods": .array(route.methods.map { .string($0) }), "priority": .integer(route.priority),
                "requests": .integer(counts[index]),
                "route": site.written[route.label].map { JSONValue($0) } ?? .null,
            ]
            return (route.label, value)
        }
    }
}

extension Site {
    /// Inserts routes before the others.
    fileprivate mutating func insert(_ new: [ControlOperations.WrittenRoute]) {
        routes = new.map(\.route) + routes
        for (route, node) in new { written[route.label] = node }
    }

    fileprivate mutating func replace(_ route: Route, _ node: YAMLNode) throws(ControlProblem) {
        guard let index = routes.firstIndex(where: { $0.label == route.label }) else {
            throw ControlOperations.unknown(route.label)
        }
        routes[index] = route
        written[route.label] = node
    }

    fileprivate mutating func remove(_ label: String) throws(ControlProblem) {
        guard let index = routes.firstIndex(where: { $0.label == label }) else {
            throw ControlOperations.unknown(label)
        }
        routes.remove(at: index)
        written[label] = nil
    }
}
