import CacheClient
import CacheSemantics
import Clocks
import Fetching
import HTTPTypes
import Locks
import Testing
import TestSupport

/// Sends content as fast as its receiver accepts it, and compares what it has sent with what has been written.
private final class EagerTransport: Transport {
    private struct State {
        var sent = 0
        var written = 0
        var maximumAhead = 0
    }
    private let count: Int
    private let state = Lock(State())

    init(count: Int) { self.count = count }

    /// Records the number of bytes that are in the file.
    func wrote(_ count: Int) { state.withLock { $0.written = count } }

    /// The largest number of bytes that were sent and not written yet.
    var maximumAhead: Int { state.withLock { $0.maximumAhead } }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        let exchange = Exchange()
        Task.detached {
            receiver.receive(head: HTTPResponse(status: .ok, headerFields: [.contentLength: "\(self.count)"]))
            for await _ in exchange.resumptions {
                while let piece = self.next() {
                    guard receiver.receive(piece: piece) else { break }
                }
                if self.state.withLock({ $0.sent }) == self.count { break }
            }
            receiver.receive(end: .success(TransportEnd()))
        }
        return exchange
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            guard state.sent < count else { return nil }
            let piece = [UInt8](repeating: 7, count: min(64 << 10, count - state.sent))
            state.sent += piece.count
            state.maximumAhead = max(state.maximumAhead, state.sent - state.written)
            return piece
        }
    }

    private final class Exchange: TransportExchange {
        let resumptions: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() {
            (resumptions, continuation) = AsyncStream.makeStream()
            continuation.yield()
        }

        func resume() { continuation.yield() }
        func cancel() { continuation.finish() }
    }
}

@Suite("The memory of downloads", .timeLimit(.minutes(20)))
struct DownloadMemoryTests {
    @Test(
        "Of 200 MiB that arrive as fast as they are accepted, less than 16 MiB are in memory at any moment",
        .checks("sjnetwork.download.streams-to-disk")
    )
    func bound() async throws {
        let folder = try TestFolder()
        let transport = EagerTransport(count: 200 << 20)
        let clock = SystemClock()
        let session = FetchSession(transport: transport, clock: clock)
        let downloads = Downloads(session, partialFolder: folder.path + "/parts")
        let file = try await downloads.download(
            DownloadRequest("http://example.org/large", to: folder.path + "/large")
        ) { transport.wrote($0.completed.bytes) }
        #expect(file.size == .mebibytes(200))
        #expect(transport.maximumAhead > 0 && transport.maximumAhead < 16 << 20)
    }
}
