import OriginScript

/// A request that was passed on, and what happens to its response.
struct Exchange: Sendable {
    /// The request's number at the proxy, from 1.
    let number: Int
    /// The connection and the request's number on it, such as `connection#3 request#2`.
    let name: String
    let request: RequestHead
    /// The faults of the request's content.
    var requestFaults: [Fault]
    /// The faults of the response.
    var responseFaults: [Fault]
    /// What a release of the held response names; empty for one of the whole proxy.
    var label = ""
    /// The time at which the request's head was read.
    let began: Duration
}
