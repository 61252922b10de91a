import HTTPServing
public import MockOrigin
public import Testing

extension MockServer {
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
