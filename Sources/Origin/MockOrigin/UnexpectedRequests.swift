/// A server has received another number of requests than a test requires.
public struct UnexpectedRequests: Error, Sendable, CustomStringConvertible {
    /// A request that is not of the route, and what distinguishes it.
    struct Other: Sendable {
        let exchange: RecordedExchange
        let differences: [String]
    }
    /// The label of the route; `nil` for a condition.
    public let route: String?
    /// The number of requests that it should have received.
    public let expectedCount: Int
    /// The requests that are of the route, or satisfy the condition, in order.
    let meant: [RecordedExchange]
    /// The others, nearest first.
    let others: [Other]
    /// Labels of routes that are similar to one that no route has, nearest first.
    var suggestions: [String] = []

    /// The number of requests that are of the route, or satisfy the condition.
    public var count: Int { meant.count }

    /// Every request that the server has received, in order.
    public var seen: [RecordedExchange] {
        (meant + others.map(\.exchange)).sorted { $0.number < $1.number }
    }

    /// The numbers in one sentence, then one request per line, at most ten: first the requests of the route, then those
    /// that come nearest to it, with the differences.
    public var description: String {
        let lines = meant.map { Self.line($0) } + others.map { Self.line($0.exchange, $0.differences) }
        if lines.isEmpty { return start + "; no request arrived" }
        return start + "; requests:" + lines.firstTen.map { "\n  " + $0 }.joined()
    }

    private var start: String {
        let requests = "\(count) request\(count == 1 ? "" : "s")"
        guard let route else { return "\(requests) of the kind arrived, expected at least \(expectedCount)" }
        let similar = suggestions.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
        let hint = similar.isEmpty ? "" : "; no route has this label, similar ones are \(similar)"
        return "the route \"\(route)\" received \(requests), expected \(expectedCount)\(hint)"
    }

    private static func line(_ exchange: RecordedExchange, _ differences: [String] = []) -> String {
        let answer = exchange.status.map { " → \($0)" } ?? ""
        let place = exchange.route.map { " (\($0))" } ?? ""
        let reasons = differences.isEmpty ? "" : ": " + differences.joined(separator: "; ")
        return "\(exchange.method) \(exchange.request.target)\(answer)\(place)\(reasons)"
    }
}

/// A server has received requests that neither a route, a file nor a page of its site is for.
public struct UnmatchedRequests: Error, Sendable, CustomStringConvertible {
    /// These requests, in order.
    public let requests: [RecordedExchange]

    /// A line for each request, and one for each of its near misses with what differs, for ten requests at most.
    public var description: String {
        requests.map(Self.text).firstTen.joined(separator: "\n")
    }

    /// Returns a line for a request, and one for each of its near misses.
    package static func text(of request: RecordedExchange) -> String {
        let nearest = request.nearMisses.map { "\n  \($0)" }.joined()
        return "No route matches \(request.method) \(request.request.target)."
            + (nearest.isEmpty ? "" : " Near misses:\(nearest)")
    }
}

extension [String] {
    /// The first ten, then the number of the others.
    fileprivate var firstTen: [String] { prefix(10) + (count > 10 ? ["and \(count - 10) more"] : []) }
}

extension RecordedExchange {
    /// Whether neither a route, a file nor a page was for the request.
    package var isUnmatched: Bool { route == nil && (status == 404 || status == 405) }
}
