import Clocks
import HTTPServing
public import MockOrigin
public import Testing

extension MockServer {
    /// Waits until so many requests have come to a route, and returns those; other than so many are an issue of the test.
    ///
    /// Of more than so many only those are noticed that have come by then. `time` is real, whatever the server's clock
    /// is; default ten seconds.
    @discardableResult
    public func expectRequests(
        _ count: Int = 1,
        to label: String,
        within time: Duration = .seconds(10),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> [RecordedExchange] {
        let seen = await exchanges(count, within: time) { $0.route == label }
        if seen.count != count {
            let others = journal().filter { $0.route != label }.map {
                "\($0.request.method) \($0.request.target)"
            }
            let rest = others.isEmpty ? "nothing else" : others.suffix(5).joined(separator: ", ")
            Issue.record(
                "the route \"\(label)\" received \(seen.count) requests, expected \(count); other requests: \(rest)",
                sourceLocation: sourceLocation
            )
        }
        return seen
    }

    /// Records an issue for each request that nothing answered, with the nearest routes and what differed.
    public func recordUnmatched(at sourceLocation: SourceLocation = #_sourceLocation) {
        for entry in journal() where entry.route == nil && entry.status == 404 {
            let nearest = nearestRoutes(to: entry.request).map { "\n  \($0)" }.joined()
            Issue.record(
                "No route matches \(entry.request.method) \(entry.request.target). Near misses:\(nearest)",
                sourceLocation: sourceLocation
            )
        }
    }
}
