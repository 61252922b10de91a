import HTTPTypes

/// Which exchanges run and which wait, so that no host gets more than so many connections.
///
/// libcurl has such a limit of its own, but with it exchanges that waited for a connection were seen to wait for ever.
struct HostQueues {
    /// Scheme and authority: what a limited number of connections are shared by.
    fileprivate struct Name: Hashable {
        let scheme: String?
        let authority: String?
    }
    /// What there is to know of a host, without a reference.
    struct Host {
        /// No other host has it.
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

        fileprivate init(_ name: Name, number: Int) {
            self.name = name
            host = Host(number: number, isSecure: name.scheme == "https", isPlain: name.scheme == "http")
        }
    }
    private let limit: Int
    private var queues: [Name: Queue] = [:]
    /// The one that was asked last, which most often is the one that is asked next.
    private var last: Queue?
    /// How many hosts there were.
    private var count = 0

    init(limit: Int) { self.limit = limit }

    /// Whether the exchange may begin; where not, `leave` of another returns it.
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

    /// Ends an exchange that ran; returns the one that runs in its place.
    mutating func leave(_ exchange: CurlExchange) -> CurlExchange? {
        guard let queue = exchange.queue else { return nil }
        exchange.queue = nil
        if !queue.waiting.isEmpty { return queue.waiting.removeFirst() }
        queue.running -= 1
        // A host that may well be asked again is kept, so long as they are not many.
        if queue.running == 0, queues.count > 64 {
            queues[queue.name] = nil
            last = nil
        }
        return nil
    }

    /// Takes out an exchange that waits.
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
