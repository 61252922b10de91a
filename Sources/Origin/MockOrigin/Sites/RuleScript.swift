package import HTTPServing
package import OriginScript

/// The progress of routes outside a mock origin: which route matches, and which of its answers is next.
package struct RuleScript: Sendable {
    /// The choice for one request.
    package struct Selection: Sendable {
        package let route: Route
        /// The route's place in the list.
        package let place: Int
        package let answer: Answer
        /// Which request to the route this is, from 1.
        package let count: Int
    }
    private var script: Script

    package init(_ routes: [Route]) { script = Script(routes) }

    /// Creates a script that keeps the progress of another for routes that are equal in both.
    package init(_ routes: [Route], continuing old: RuleScript) {
        script = Script(routes, continuing: old.script)
    }

    /// The number of requests that each route has matched, in the order of the routes.
    package var requestCounts: [Int] { script.requestCounts }

    /// The states of machines that are not in their first.
    package var states: [String: String] { script.states }

    /// Chooses for a request and counts it; `nil` if no route matches.
    package mutating func next(_ request: ServedRequest, elapsedSeconds: Double) -> Selection? {
        guard let found = script.next(RoutedRequest(request), elapsedSeconds: elapsedSeconds) else {
            return nil
        }
        return Selection(route: found.route, place: found.place, answer: found.answer, count: found.count)
    }
}
