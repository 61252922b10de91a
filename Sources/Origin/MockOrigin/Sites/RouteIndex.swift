import HTTPServing
import OriginScript

/// The routes of a script by their paths, so that a request is compared with only a few of them.
struct RouteIndex: Sendable {
    /// Routes that end at a node, as ranks in the order in which routes are tried.
    private typealias Ranks = [Int]

    private struct Node {
        var literals: [String: Int] = [:]
        var parameters: [(prefix: String, suffix: String, node: Int)] = []
        var ends: Ranks = []
        var rests: Ranks = []
    }
    /// The routes in the order of the script.
    let routes: [Route]
    /// Indexes of the routes in the order in which they are tried: highest priority first.
    private let order: [Int]
    /// Whether each route answers all unconditional requests for a target alike, computed once.
    private let steady: [Bool]
    private var anywhere: Ranks = []
    private var exact: [String: Ranks] = [:]
    private var prefixes: [String: Ranks] = [:]
    /// Distinct lengths of the prefixes in bytes, ascending.
    private var prefixCounts: [Int] = []
    private var nodes = [Node()]

    init(_ routes: [Route]) {
        self.routes = routes
        steady = routes.map(\.isSteady)
        order = routes.indices.sorted { left, right in
            let (first, second) = (routes[left].priority, routes[right].priority)
            return first == second ? left < right : first > second
        }
        for (rank, place) in order.enumerated() { add(routes[place].path, rank) }
        prefixCounts = Set(prefixes.keys.map(\.utf8.count)).sorted()
    }

    /// Returns the indexes of the routes that match a request, in the order in which they are tried.
    func places(for request: RoutedRequest) -> [Int] {
        ranks(for: request).sorted().compactMap { rank in
            let place = order[rank]
            return routes[place].matchesBesidePath(request) ? place : nil
        }
    }

    /// The route that answers a request regardless of its fields and of the time.
    enum ConstantRoute {
        case route(Int)
        /// No route, at any time.
        case none
        /// A route that depends on fields or time.
        case unsteady
    }

    /// Returns the route that answers every request with this method, target and content.
    func steadyPlace(for request: RoutedRequest) -> ConstantRoute {
        let first = ranks(for: request).sorted().first { routes[order[$0]].matchesBesideFields(request) }
        guard let first else { return .none }
        return steady[order[first]] ? .route(order[first]) : .unsteady
    }

    /// Whether a route answers all unconditional requests for a target alike.
    func isSteady(_ place: Int) -> Bool { steady[place] }

    /// Returns the methods of the routes whose path matches; empty if there are none, or one accepts every method.
    func methods(for request: RoutedRequest) -> [String] {
        let methods = ranks(for: request).sorted().map { routes[order[$0]].methods }
        if methods.contains([]) { return [] }
        let all = methods.flatMap { $0.contains("GET") ? $0 + ["HEAD"] : $0 }
        return all.enumerated().filter { all.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    // MARK: Building

    private mutating func add(_ path: PathPattern, _ rank: Int) {
        switch path {
        case .any: anywhere.append(rank)
        case .exact(let path): exact[path, default: []].append(rank)
        case .prefix(let prefix): prefixes[prefix, default: []].append(rank)
        case .template(let template): add(template, rank)
        }
    }

    private mutating func add(_ template: PathTemplate, _ rank: Int) {
        let end = template.segments.reduce(0) { node, segment in child(of: node, for: segment) }
        if template.hasRest { nodes[end].rests.append(rank) } else { nodes[end].ends.append(rank) }
    }

    private mutating func child(of node: Int, for segment: PathTemplate.Segment) -> Int {
        let made = nodes.count
        switch segment {
        case .literal(let text):
            if let known = nodes[node].literals[text] { return known }
            nodes[node].literals[text] = made
        case .parameter(_, let prefix, let suffix):
            let known = nodes[node].parameters.first { $0.prefix == prefix && $0.suffix == suffix }
            if let known { return known.node }
            nodes[node].parameters.append((prefix, suffix, made))
        }
        nodes.append(Node())
        return made
    }

    // MARK: Matching

    private func ranks(for request: RoutedRequest) -> Ranks {
        var ranks = anywhere
        collect(request.path, into: &ranks)
        if let decoded = request.decodedPath {
            collect(decoded, into: &ranks)
            // A prefix may match both forms of the path.
            ranks = Array(Set(ranks))
        }
        if nodes.count > 1 || !nodes[0].rests.isEmpty { walk(0, request.segments[...], into: &ranks) }
        return ranks
    }

    private func collect(_ path: String, into ranks: inout Ranks) {
        if let found = exact[path] { ranks += found }
        let count = path.utf8.count
        for length in prefixCounts {
            if length > count { break }
            // The length may end within a character.
            guard let prefix = String(path.utf8.prefix(length)), let found = prefixes[prefix] else {
                continue
            }
            ranks += found
        }
    }

    private func walk(_ place: Int, _ rest: ArraySlice<String>, into ranks: inout Ranks) {
        let node = nodes[place]
        guard let segment = rest.first else {
            ranks += node.ends
            return
        }
        ranks += node.rests
        if let next = node.literals[segment] { walk(next, rest.dropFirst(), into: &ranks) }
        for parameter in node.parameters
        where PathTemplate.value(of: segment, parameter.prefix, parameter.suffix) != nil {
            walk(parameter.node, rest.dropFirst(), into: &ranks)
        }
    }
}
