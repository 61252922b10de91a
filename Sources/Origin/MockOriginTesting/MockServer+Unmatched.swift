public import MockOrigin
public import Testing

extension MockServer {
    /// Records an issue for each request that nothing answered, with the nearest routes and what differed.
    public func recordUnmatched(at sourceLocation: SourceLocation = #_sourceLocation) {
        for entry in journal() where entry.isUnmatched {
            Issue.record("\(UnmatchedRequests.text(of: entry))", sourceLocation: sourceLocation)
        }
    }
}
