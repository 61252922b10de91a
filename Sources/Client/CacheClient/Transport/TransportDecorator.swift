package import HTTPTypes

/// A transport that changes the requests it sends or the responses it delivers.
package struct TransportDecorator: Transport {
    private let base: any Transport
    private let change: (@Sendable (inout HTTPRequest) -> Void)?
    private let receiver: (@Sendable (any TransportReceiver) -> any TransportReceiver)?

    /// Creates a transport in front of another; `receiver` returns the receiver that stands before a request's own.
    package init(
        base: any Transport,
        request change: (@Sendable (inout HTTPRequest) -> Void)? = nil,
        receiver: (@Sendable (any TransportReceiver) -> any TransportReceiver)? = nil
    ) {
        (self.base, self.change, self.receiver) = (base, change, receiver)
    }

    /// That of `base`.
    package var executor: (any TaskExecutor)? { base.executor }

    /// Starts the exchange of the changed request.
    package func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange
    {
        var sent = request
        change?(&sent.head)
        return base.start(sent, receiver: self.receiver?(receiver) ?? receiver)
    }
}

/// A receiver that passes to another every call that it does not implement.
///
/// The rest of an exchange is passed as single calls, so that each of them can be implemented alone.
package protocol ReceiverDecorator: TransportReceiver {
    /// The receiver that gets the calls.
    var base: any TransportReceiver { get }
}

extension ReceiverDecorator {
    package func receive(interim response: HTTPResponse) { base.receive(interim: response) }
    package func receive(start: TransportStart) { base.receive(start: start) }
    package func receive(head response: HTTPResponse) { base.receive(head: response) }
    package func receive(piece: [UInt8]) -> Bool { base.receive(piece: piece) }
    package func receive(end: Result<TransportEnd, TransportError>) { base.receive(end: end) }
}
