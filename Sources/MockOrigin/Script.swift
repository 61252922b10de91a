import HTTPServing
import OriginScript

/// The routes of a namespace and how far each has come.
struct Script {
    private let routes: [Route]
    private var counts: [Int]
    private var pinned: [Int?]

    init(_ routes: [Route]) {
        self.routes = routes
        counts = Array(repeating: 0, count: routes.count)
        pinned = Array(repeating: nil, count: routes.count)
    }

    /// Returns the answer to a request and counts it; `nil` when no route matches.
    mutating func next(
        method: String,
        path: String,
        query: String?
    ) -> (route: Route, answer: Answer, number: Int)? {
        guard
            let place = routes.firstIndex(where: { $0.matches(method: method, path: path, query: query) })
        else { return nil }
        let route = routes[place]
        let index = min(pinned[place] ?? counts[place], route.answers.count - 1)
        counts[place] += 1
        return index < 0 ? nil : (route, route.answers[index], counts[place])
    }

    /// Makes the route give its `number`-th answer, from 1, from now on.
    mutating func pin(answer number: Int, label: String) {
        for place in routes.indices where routes[place].label == label { pinned[place] = max(number - 1, 0) }
    }
}

extension Route {
    /// Returns whether the route is for such a request; the path counts as sent or decoded.
    func matches(method: String, path: String, query: String?) -> Bool {
        let isMethod = methods.isEmpty || methods.contains(method)
        let isQuery = self.query == nil || self.query == query ?? ""
        guard isMethod, isQuery else { return false }
        switch self.path {
        case .any: return true
        case .exact(let exact): return path == exact || PercentText.decode(path) == exact
        case .prefix(let prefix):
            return path.hasPrefix(prefix) || PercentText.decode(path)?.hasPrefix(prefix) == true
        }
    }
}
