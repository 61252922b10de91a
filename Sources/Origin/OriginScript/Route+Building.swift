// Conditions of routes in one expression: `.get("/search", .json("[]")).query("q", "swift").field("Accept", .contains("json"))`.

extension Route {
    /// Returns the route with another condition on a parameter of the query, beside which there may be others.
    ///
    /// Replaces a condition on the query as a whole. Routes are tried in order, so that one with conditions precedes
    /// the one for all other requests.
    public func query(_ name: String, _ match: ValueMatch) -> Route {
        var (route, conditions) = (self, [NamedMatch]())
        if case .parameters(let earlier) = query { conditions = earlier }
        route.query = .parameters(conditions + [NamedMatch(name, match)])
        return route
    }

    /// Returns the route with another condition on a header field.
    public func field(_ name: String, _ match: ValueMatch) -> Route {
        var route = self
        route.fields.append(NamedMatch(name, match))
        return route
    }

    /// Returns the route with another condition on the content: `.body(.text(.contains("Ada")))`.
    public func body(_ match: BodyMatch) -> Route {
        var route = self
        route.body.append(match)
        return route
    }
}

extension ValueMatch: ExpressibleByStringLiteral {
    /// Creates a match for exactly this text.
    public init(stringLiteral value: String) { self = .equals(value) }
}
