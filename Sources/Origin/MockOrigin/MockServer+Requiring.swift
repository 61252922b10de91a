import LocatedYAML
import OriginScript

extension MockServer {
    /// Returns the URL of a path: `server.url("/users?page=2")`.
    public func url(_ path: String) -> String { url + (path.hasPrefix("/") ? path : "/" + path) }

    /// Waits until a route has received `count` requests, and returns those, in order.
    ///
    /// Throws `UnexpectedRequests` unless the route has received exactly `count` requests. Requests that arrive after the
    /// `count`th are detected only if they arrive before this function returns. The error states why other requests did
    /// not match.
    ///
    /// `label` is the route's: by default the path for GET, and `POST /users` for other methods. If no route has this
    /// label, it is interpreted as a path, and requests with any method count. `time` is real, regardless of the server's
    /// clock; default ten seconds.
    @discardableResult
    public func requireRequests(
        _ count: Int = 1,
        to label: String,
        within time: Duration = .seconds(10)
    ) async throws(UnexpectedRequests) -> [RecordedExchange] {
        let route = handler.site.progress.site.routes.first { $0.label == label }
        let isMeant = { (exchange: RecordedExchange) in
            route == nil ? exchange.path == label : exchange.route == label
        }
        let seen = await arrivals(count, within: time, where: isMeant)
        guard seen.count == count else {
            throw unexpected(
                label,
                route,
                expecting: count,
                meant: seen,
                others: journal().filter { !isMeant($0) }
            )
        }
        return seen
    }

    private func unexpected(
        _ label: String,
        _ route: Route?,
        expecting count: Int,
        meant: [RecordedExchange],
        others: [RecordedExchange]
    ) -> UnexpectedRequests {
        let labels = handler.site.progress.site.routes.map(\.label)
        return UnexpectedRequests(
            route: label,
            expectedCount: count,
            meant: meant,
            others: handler.site.nearest(others, to: route ?? Route(readingLabel: label)),
            suggestions: route == nil ? NearestKey.suggestions(for: label, among: labels) : []
        )
    }

    /// Waits until at least `count` requests satisfy a condition, and returns those that do, in order.
    ///
    /// Throws `UnexpectedRequests`, which lists what arrived, if there are fewer after `time`, or when the task is
    /// cancelled. `time` is real, regardless of the server's clock; default ten seconds.
    @discardableResult
    public nonisolated(nonsending) func waitForRequests(
        _ count: Int = 1,
        within time: Duration = .seconds(10),
        where isMeant: (RecordedExchange) -> Bool = { _ in true }
    ) async throws(UnexpectedRequests) -> [RecordedExchange] {
        let seen = await arrivals(count, within: time, where: isMeant)
        guard seen.count >= count else {
            let others = journal().filter { !isMeant($0) }
            throw UnexpectedRequests(
                route: nil,
                expectedCount: count,
                meant: seen,
                others: others.map { .init(exchange: $0, differences: $0.nearMisses) }
            )
        }
        return seen
    }

    /// Throws `UnmatchedRequests` if a request so far matched no route, file or page of the site.
    public func requireMatches() throws(UnmatchedRequests) {
        let unmatched = journal().filter(\.isUnmatched)
        if !unmatched.isEmpty { throw UnmatchedRequests(requests: unmatched) }
    }
}

extension Route {
    /// Creates a route for the requests that a label describes, if it is a path, or a method and a path.
    fileprivate init(readingLabel label: String) {
        let words = label.split(separator: " ", maxSplits: 1).map(String.init)
        let path = words.last ?? ""
        self.init(
            label: label,
            path: path.hasPrefix("/") ? PathPattern(path) : .any,
            methods: words.count == 2 && path.hasPrefix("/") ? [words[0]] : [],
            answers: []
        )
    }
}
