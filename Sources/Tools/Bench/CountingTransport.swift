import CacheClient

/// Counts the exchanges that another transport starts.
struct CountingTransport: Transport {
    let started = Count()
    private let other: any Transport

    init(_ other: any Transport) { self.other = other }

    var executor: (any TaskExecutor)? { other.executor }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        started.add()
        return other.start(request, receiver: receiver)
    }
}
