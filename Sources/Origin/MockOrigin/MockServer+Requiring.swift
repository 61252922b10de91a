import HTTPServing
public import OriginScript

extension MockServer {
    /// Returns the URL of a path: `server.url("/users?page=2")`.
    public func url(_ path: String) -> String { url + (path.hasPrefix("/") ? path : "/" + path) }

    /// Waits until a route has received `count` requests, and returns those, in order.
    ///
    /// Throws `UnexpectedRequests`, which lists what arrived, unless it is exactly that many. More than so many are only
    /// noticed if they have come by then. `label` is the route's: by default the path for GET, and `POST /users` for other methods. A path
    /// that is no route's label stands for all requests to it, whatever their methods. `time` is real, whatever the server's clock is; default ten
    /// seconds.
    @discardableResult
    public func requireRequests(
        _ count: Int = 1,
        to label: String,
        within time: Duration = .seconds(10)
    ) async throws(UnexpectedRequests) -> [RecordedExchange] {
        let isLabel = handler.site.progress.site.routes.contains { $0.label == label }
        let seen = await arrivals(count, within: time) { isLabel ? $0.route == label : $0.path == label }
        guard seen.count == count else {
            throw UnexpectedRequests(route: label, expectedCount: count, count: seen.count, seen: journal())
        }
        return seen
    }

    /// Waits until at least `count` requests satisfy a condition, and returns those that do, in order.
    ///
    /// Throws `UnexpectedRequests`, which lists what arrived, if there are fewer after `time`, or when the task is
    /// cancelled. `time` is real, whatever the server's clock is; default ten seconds.
    @discardableResult
    public nonisolated(nonsending) func waitForRequests(
        _ count: Int = 1,
        within time: Duration = .seconds(10),
        where isMeant: (RecordedExchange) -> Bool = { _ in true }
    ) async throws(UnexpectedRequests) -> [RecordedExchange] {
        let seen = await arrivals(count, within: time, where: isMeant)
        guard seen.count >= count else {
            throw UnexpectedRequests(route: nil, expectedCount: count, count: seen.count, seen: journal())
        }
        return seen
    }
}

/// A server has received another number of requests than a test requires.
public struct UnexpectedRequests: Error, Sendable, CustomStringConvertible {
    /// The label of the route; `nil` for a condition.
    public let route: String?
    /// The number of requests that it should have received.
    public let expectedCount: Int
    /// The number of requests that are of the route, or satisfy the condition.
    public let count: Int
    /// Every request that the server has received, in order.
    public let seen: [RecordedExchange]

    /// The numbers in one sentence, then every request in a line, with the route that answered it and near misses.
    public var description: String {
        let requests = "\(count) request\(count == 1 ? "" : "s")"
        let start =
            route.map { "the route \"\($0)\" received \(requests), expected \(expectedCount)" }
            ?? "\(requests) of the kind arrived, expected at least \(expectedCount)"
        if seen.isEmpty { return start + "; no request arrived" }
        return start + "; all requests:" + seen.map { "\n  " + Self.line($0) }.joined()
    }

    private static func line(_ exchange: RecordedExchange) -> String {
        let answer = exchange.status.map { " → \($0)" } ?? ""
        let misses = exchange.nearestRoutes.map { "\n    near miss: \($0)" }.joined()
        let place = exchange.route.map { " (\($0))" } ?? misses
        return "\(exchange.method) \(exchange.request.target)\(answer)\(place)"
    }
}

/// Starts a mock server with some routes on any free port of 127.0.0.1, calls `body` with it, and stops it.
///
/// Its clock follows the machine's and can be advanced. For tests of XCTest, and wherever a trait does not fit.
public nonisolated(nonsending) func withMockServer<Result>(
    _ routes: Route...,
    folder: String? = nil,
    body: nonisolated(nonsending) (MockServer) async throws -> Result
) async throws -> Result {
    let server = try MockServer.started(routes: routes, folder: folder)
    do {
        let result = try await body(server)
        await server.shutDown()
        return result
    } catch {
        await server.shutDown()
        throw error
    }
}
