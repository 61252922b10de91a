import HTTPTypes

/// Which exchanges run and which wait, so that no host gets more than so many connections.
///
/// libcurl has such a limit of its own, but with it exchanges that waited for a connection were seen to wait for ever.
struct HostQueues {
    private struct Queue {
        var running = 0
        var waiting: [CurlExchange] = []
    }
    private let limit: Int
    private var queues: [String: Queue] = [:]

    init(limit: Int) { self.limit = limit }

    /// Whether the exchange may begin; where not, `leave` of another returns it.
    mutating func enter(_ exchange: CurlExchange) -> Bool {
        let host = Self.host(exchange)
        guard queues[host, default: Queue()].running < limit else {
            queues[host, default: Queue()].waiting.append(exchange)
            return false
        }
        queues[host, default: Queue()].running += 1
        return true
    }

    /// Ends an exchange that ran; returns the one that runs in its place.
    mutating func leave(_ exchange: CurlExchange) -> CurlExchange? {
        let host = Self.host(exchange)
        guard var queue = queues.removeValue(forKey: host) else { return nil }
        if !queue.waiting.isEmpty {
            defer { queues[host] = queue }
            return queue.waiting.removeFirst()
        }
        queue.running -= 1
        if queue.running > 0 { queues[host] = queue }
        return nil
    }

    /// Takes out an exchange that waits.
    mutating func withdraw(_ exchange: CurlExchange) {
        queues[Self.host(exchange)]?.waiting.removeAll { $0 === exchange }
    }

    private static func host(_ exchange: CurlExchange) -> String {
        (exchange.request.head.scheme ?? "") + "://" + (exchange.request.head.authority ?? "")
    }
}
