import HTTPServing
package import OriginScript

/// The routes of an origin and the progress of each.
package struct Script: Sendable {
    /// The answer to one request.
    package struct Selection: Sendable {
        package var route: Route
        /// The route's index in the script.
        package var place: Int
        package var answer: Answer
        /// The answer's place among the route's; 0 for one that refuses credentials.
        var answerPlace = 0
        /// Which request to the route this is, from 1.
        package var count: Int
    }
    /// The routes by their paths; constant.
    let index: RouteIndex
    private var counts: [Int]
    private var pinned: [Int?]
    /// The states of machines that are not in their first state.
    package private(set) var states: [String: String] = [:]

    package init(_ routes: [Route]) {
        index = RouteIndex(routes)
        counts = Array(repeating: 0, count: routes.count)
        pinned = Array(repeating: nil, count: routes.count)
    }

    /// Creates a script that keeps the progress of another for routes that are equal in both.
    package init(_ routes: [Route], continuing old: Script) {
        self.init(routes)
        states = old.states
        let indices = Dictionary(old.index.routes.enumerated().map { ($1.label, $0) }) { first, _ in first }
        for (number, route) in routes.enumerated() {
            guard let before = indices[route.label], old.index.routes[before] == route else { continue }
            (counts[number], pinned[number]) = (old.counts[before], old.pinned[before])
        }
    }

    /// The number of requests that each route has answered, in the order of the routes.
    package var requestCounts: [Int] { counts }

    /// Sets the states of machines.
    mutating func set(_ new: [String: String]) {
        states.merge(new) { _, new in new }
    }

    /// Returns the answer to a request and counts the request; `nil` if no route matches.
    package mutating func next(_ request: RoutedRequest, elapsedSeconds: Double = 0) -> Selection? {
        next(request, among: index.places(for: request), elapsedSeconds: elapsedSeconds)
    }

    /// Returns the answer of the first of several matching routes that also matches by time and state.
    mutating func next(_ request: RoutedRequest, among indices: [Int], elapsedSeconds: Double) -> Selection? {
        guard let place = indices.first(where: { isOpen(index.routes[$0], elapsedSeconds) }) else {
            return nil
        }
        let route = index.routes[place]
        if let credentials = route.credentials,
            !credentials.accept(request.request.fields.combined(FieldName.authorization))
        {
            let answer = Answer.unauthorized(credentials)
            return Selection(route: route, place: place, answer: answer, count: counts[place])
        }
        guard let answerPlace = answerPlace(of: route, at: place) else { return nil }
        counts[place] += 1
        states.merge(route.then) { _, new in new }
        let answer = route.answers[answerPlace]
        return Selection(
            route: route,
            place: place,
            answer: answer,
            answerPlace: answerPlace,
            count: counts[place]
        )
    }

    /// Counts a request that was answered without evaluating the route.
    mutating func count(_ place: Int) { counts[place] += 1 }

    /// Makes the route give the answer with this number, from 1, from now on.
    mutating func pin(answer number: Int, label: String) {
        let routes = index.routes
        for position in routes.indices where routes[position].label == label {
            pinned[position] = max(number - 1, 0)
        }
    }

    private func answerPlace(of route: Route, at place: Int) -> Int? {
        guard !route.answers.isEmpty else { return nil }
        let last = route.answers.count - 1
        if let pinned = pinned[place] { return min(pinned, last) }
        return route.loops ? counts[place] % (last + 1) : min(counts[place], last)
    }

    private func isOpen(_ route: Route, _ elapsedSeconds: Double) -> Bool {
        route.isOpen(elapsedSeconds) && route.when.allSatisfy { state(of: $0.key) == $0.value }
    }

    /// Returns the current state of a machine.
    func state(of machine: String) -> String { states[machine] ?? Route.initialState }
}

extension Route {
    /// Whether the route is active at this time after the start.
    func isOpen(_ elapsedSeconds: Double) -> Bool {
        if let after, elapsedSeconds < after.inSeconds { return false }
        if let until, elapsedSeconds >= until.inSeconds { return false }
        return true
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

extension Answer {
    /// Returns the answer to a request without valid credentials, RFC 7617 §2.
    fileprivate static func unauthorized(_ credentials: Credentials) -> Answer {
        let challenge = "Basic realm=\"\(credentials.realm)\", charset=\"UTF-8\""
        let field = FieldLine(FieldName.wwwAuthenticate, .text(challenge))
        return .plain(status: 401, "A name and a password are required.", fields: [field])
    }
}
