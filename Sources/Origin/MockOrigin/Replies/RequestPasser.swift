public import HTTPServing
public import OriginScript

/// Passes a site's requests to an upstream, and the responses back.
public protocol RequestPasser: Sendable {
    /// Passes a request and returns the reply to it, while the response is still to come.
    func pass(_ request: PassedRequest) -> PassedReply
}

/// A request that is passed to an upstream, and what happens to the response.
public struct PassedRequest: Sendable {
    /// The head of a response that is sent.
    public typealias OnHead = @Sendable (_ status: Int, _ fields: [ServedField]) -> Void
    /// The request; its target is below the site.
    public let request: ServedRequest
    /// The changes to the response.
    public let passing: Passing
    /// The faults of the response, which are resolved.
    public let faults: [Fault]
    /// When the site began, in seconds since 1970.
    package let startedAt: Double
    /// The hold that stalled responses wait for.
    public let stall: Hold
    /// Called once, before the final head is sent; not for a reply that ends before.
    public let onHead: OnHead
}

/// The reply to a request that was passed to an upstream.
public struct PassedReply: Sendable {
    /// The steps; the last one may add further steps.
    public let steps: [RawReply.Step]
    /// Called when the reply has ended, as a whole or not; releases the connection to the upstream.
    public let onEnd: @Sendable () -> Void

    /// Creates a reply.
    public init(steps: [RawReply.Step], onEnd: @escaping @Sendable () -> Void) {
        (self.steps, self.onEnd) = (steps, onEnd)
    }
}

/// An observer that also releases the connection to the upstream.
struct PassObserver: ExchangeObserver {
    let inner: NamespaceObserver
    let onEnd: @Sendable () -> Void

    func exchangeBegan(_ exchange: RawExchange) { inner.exchangeBegan(exchange) }

    func exchangeParked() { inner.exchangeParked() }

    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int) {
        onEnd()
        inner.exchangeEnded(end, bytesSent: bytesSent)
    }
}
