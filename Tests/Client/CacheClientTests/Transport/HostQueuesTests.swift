import HTTPTypes
import Testing

@testable import CacheClient

@Suite("The connections that exchanges with one host share")
struct HostQueuesTests {
    /// The queues as an object, because expectations cannot change a value.
    private final class Queues {
        private var queues: HostQueues

        init(limit: Int) { queues = HostQueues(limit: limit) }

        func enter(_ exchange: CurlExchange) -> Bool { queues.enter(exchange) }

        func leave(_ exchange: CurlExchange) -> CurlExchange? { queues.leave(exchange) }

        func withdraw(_ exchange: CurlExchange) { queues.withdraw(exchange) }
    }
    private let rules: CurlTransport.Rules

    init() throws {
        let core = try #require(LoopCore(connectionsPerHost: 1))
        rules = CurlTransport.Rules(core: core, trust: TrustPolicy(), resendsOnDeadConnection: true)
    }

    private func exchange(_ host: String = "a", _ scheme: String = "http") -> CurlExchange {
        let head = HTTPRequest(method: .get, scheme: scheme, authority: host, path: "/")
        return CurlExchange(head, receiver: PieceCounter(pausesAt: .max), upload: nil, rules: rules)
    }

    @Test(
        "As many exchanges run as the limit says, and the others follow in their order",
        arguments: [1, 2, 6]
    )
    func limit(limit: Int) {
        let queues = Queues(limit: limit)
        let exchanges = (0..<limit + 2).map { _ in exchange() }
        #expect(exchanges.map { queues.enter($0) } == [Bool](repeating: true, count: limit) + [false, false])
        #expect(queues.leave(exchanges[0]) === exchanges[limit])
        #expect(queues.leave(exchanges[limit]) === exchanges[limit + 1])
        #expect(queues.leave(exchanges[limit + 1]) == nil)
        #expect(queues.enter(exchange()))
        #expect(!queues.enter(exchange()))
    }

    @Test("Hosts, ports and schemes have limits of their own")
    func hosts() {
        let queues = Queues(limit: 1)
        let kinds = [("a", "http"), ("b", "http"), ("a:81", "http"), ("a", "https")]
        let first = kinds.map { exchange($0.0, $0.1) }
        let second = kinds.map { exchange($0.0, $0.1) }
        for exchange in first { #expect(queues.enter(exchange)) }
        for exchange in second { #expect(!queues.enter(exchange)) }
        #expect(first.map { $0.host?.isSecure } == [false, false, false, true])
        #expect(first.map { $0.host?.isPlain } == [true, true, true, false])
        #expect(Set(first.map { $0.host?.number }).count == 4)
        #expect(second.map { $0.host?.number } == first.map { $0.host?.number })
        for (one, other) in zip(first, second) { #expect(queues.leave(one) === other) }
    }

    @Test("An exchange that no longer waits does not run, and takes the place of none")
    func withdrawn() {
        let queues = Queues(limit: 1)
        let (running, withdrawn, waiting) = (exchange(), exchange(), exchange())
        for exchange in [running, withdrawn, waiting] { _ = queues.enter(exchange) }
        queues.withdraw(withdrawn)
        #expect(queues.leave(withdrawn) == nil)
        #expect(queues.leave(running) === waiting)
        #expect(queues.leave(running) == nil)
        #expect(!queues.enter(exchange()))
    }

    @Test("A host is known until there are many, and one that is forgotten has the same limit again")
    func forgotten() {
        let queues = Queues(limit: 1)
        for number in 0..<1000 {
            let exchange = exchange("host\(number)")
            #expect(queues.enter(exchange))
            #expect(exchange.host?.number == number + 1)
            _ = queues.leave(exchange)
        }
        let (known, forgotten) = (exchange("host0"), exchange("host999"))
        #expect(queues.enter(forgotten))
        #expect(forgotten.host?.number == 1001)
        #expect(!queues.enter(exchange("host999")))
        #expect(queues.enter(known))
        #expect(known.host?.number == 1)
    }
}
