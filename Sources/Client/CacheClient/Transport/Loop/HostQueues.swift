import HTTPTypes

/// The running and the waiting exchanges of each host, which limit the number of its connections.
///
/// libcurl can limit them itself, but with its limit exchanges that waited for a connection were seen to wait forever.
struct HostQueues {
    /// Scheme and authority, which share a limited number of connections.
    fileprivate struct Name: Hashable {
        let scheme: String?
        let authority: String?
    }
    /// The properties of a host, without a reference.
    struct Host {
        /// Unique among all hosts.
        let number: Int
        let isSecure: Bool
        let isPlain: Bool
    }
    /// The exchanges with one host.
    final class Queue {
        fileprivate let name: Name
        fileprivate let host: Host
        @exclusivity(unchecked) fileprivate var running = 0
        @exclusivity(unchecked) fileprivate var waiting: [CurlExchange] = []
        /// Whether its last response was of HTTP/1.0.
        @exclusivity(unchecked) var speaksHTTP10 = false

        fileprivate init(_ name: Name, number: Int) {
            self.name = name
            host = Host(number: number, isSecure: name.scheme == "https", isPlain: name.scheme == "http")
        }
    }
    private let limit: Int
    private var queues: [Name: Queue] = [:]
    /// The last queue that was used, which is usually also the next.
    private var last: Queue?
    /// The number of hosts so far.
    private var count = 0

    init(limit: Int) { self.limit = limit }

    /// Returns whether the exchange may start; if not, `leave` of another exchange returns it.
    mutating func enter(_ exchange: CurlExchange) -> Bool {
        let queue = queue(of: exchange)
        exchange.queue = queue
        exchange.host = queue.host
        guard queue.running < limit else {
            queue.waiting.append(exchange)
            return false
        }
        queue.running += 1
        return true
    }

    /// Ends a running exchange; returns the one that runs instead.
    mutating func leave(_ exchange: CurlExchange) -> CurlExchange? {
        guard let queue = exchange.queue else { return nil }
        exchange.queue = nil
        if !queue.waiting.isEmpty { return queue.waiting.removeFirst() }
        queue.running -= 1
        // A host that may be asked again is kept, as long as there are not many.
        if queue.running == 0, queues.count > 64 {
            queues[queue.name] = nil
            last = nil
        }
        return nil
    }

    /// Removes a waiting exchange.
    mutating func withdraw(_ exchange: CurlExchange) {
        exchange.queue?.waiting.removeAll { $0 === exchange }
        exchange.queue = nil
    }

    private mutating func queue(of exchange: CurlExchange) -> Queue {
        let head = exchange.head
        if let last, last.name.authority == head.authority, last.name.scheme == head.scheme { return last }
        return queue(of: Name(scheme: head.scheme, authority: head.authority))
    }

    private mutating func queue(of name: Name) -> Queue {
        let queue = queues[name] ?? make(name)
        last = queue
        return queue
    }

    private mutating func make(_ name: Name) -> Queue {
        count += 1
        let queue = Queue(name, number: count)
        queues[name] = queue
        return queue
    }
}
