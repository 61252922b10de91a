import Scenarios

/// Where a response came from, told by what the origin saw.
enum ObservedSource {
    /// Returns the source of a response to a request that was alone, after which so much had arrived; `nil` where there
    /// is no response.
    static func source(of seen: CallerObservation, _ arrivals: [OriginExchange]) -> String? {
        guard seen.error == nil, let status = seen.status else { return nil }
        guard let last = arrivals.last else { return status == 504 ? "none" : "cache" }
        let isConfirmed = last.request.answeredStatus == 304 && status != 304
        return isConfirmed ? "validated" : "origin"
    }
}
