/// Which exchanges run and which wait, so that no host gets more than so many connections.
///
/// libcurl has such a limit of its own, but with it exchanges that waited for a connection were seen to wait for ever.
struct HostQueues {
    private struct Queue {
        var running = 0
        var waiting: [CurlExchange] = []

        mutating func enter(_ exchange: CurlExchange, _ limit: Int) -> Bool {
            guard running < limit else {
                waiting.append(exchange)
                return false
            }
            running += 1
            return true
        }
    }
    private let limit: Int
    private var queues: [String: Queue] = [:]

    init(limit: Int) { self.limit = limit }

    /// Whether the exchange may begin; where not, `leave` of another returns it.
    mutating func enter(_ exchange: CurlExchange) -> Bool {
        let host = exchange.host
        return queues[host, default: Queue()].enter(exchange, limit)
    }

    /// Ends an exchange that ran; returns the one that runs in its place.
    mutating func leave(_ exchange: CurlExchange) -> CurlExchange? {
        let host = exchange.host
        guard let place = queues.index(forKey: host) else { return nil }
        if !queues.values[place].waiting.isEmpty { return queues.values[place].waiting.removeFirst() }
        queues.values[place].running -= 1
        // A host that may well be asked again is kept, so long as they are not many.
        if queues.values[place].running == 0, queues.count > 64 { queues.remove(at: place) }
        return nil
    }

    /// Takes out an exchange that waits.
    mutating func withdraw(_ exchange: CurlExchange) {
        queues[exchange.host]?.waiting.removeAll { $0 === exchange }
    }
}
