import Locks
import StoreModel
import TestSupport

/// Clients on separate threads, which send requests until they are stopped.
final class LoadThreads: Sendable {
    private let isFinished = Lock(false)
    private let tally = Lock(Tally())
    private let ended = Wake()
    private let count: Int
    private let origin: VersionedOrigin

    /// Starts a thread for each function, which sends a request with every call.
    init(
        _ origin: VersionedOrigin,
        seed: UInt64,
        _ requests: [@Sendable (PageClient, inout SplitMix) -> Void]
    ) {
        self.origin = origin
        count = requests.count
        for (number, request) in requests.enumerated() {
            startThread { self.run(request, seed &+ UInt64(number)) }
        }
    }

    /// The problem of clients that have ended or found an error; `nil` if there is none.
    var problem: String? { tally.withLock { $0.problem } }

    /// Stops the clients and waits for them.
    func end() -> Tally {
        isFinished.withLock { $0 = true }
        for _ in 0..<count { ended.wait() }
        return tally.withLock { $0 }
    }

    private func run(_ request: (PageClient, inout SplitMix) -> Void, _ seed: UInt64) {
        let client = PageClient(origin)
        var generator = SplitMix(seed: seed)
        while !isFinished.withLock({ $0 }) {
            request(client, &generator)
            // A gateway that has ended gives no further information.
            if !client.tally.broken.isEmpty { delay(milliseconds: 1) }
            if client.tally.problem != nil { break }
        }
        tally.withLock { $0 += client.tally }
        ended.post()
    }
}
