import CacheClient
import CacheGateway
import CacheStorage
import Clocks
import HTTPTypes
import Locks
import Testing
import TestSupport

@Suite("Callers that do not read their responses", .timeLimit(.minutes(20)), .blocking)
struct SlowReaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The length; `nil` for chunks.
        var length: Int?
        var hasDisk = false
    }

    @Test(
        "The origin is held back after half a mebibyte and the content of the sockets",
        arguments: [
            Row(testDescription: "too large for memory", length: 50 << 20),
            Row(testDescription: "as large as it gets in memory", length: 6 << 20),
            Row(testDescription: "of unknown length", length: nil),
            Row(testDescription: "stored on disk", length: 50 << 20, hasDisk: true),
        ]
    )
    func held(row: Row) throws {
        let folder = try TestFolder()
        let origin = FloodingOrigin(length: row.length)
        // No time limit of the gateway passes while other tests keep this one waiting.
        let clock = VirtualClock(wallSeconds: 1_000_000)
        let gateway = try Self.gateway(origin, disk: row.hasDisk ? folder.path : nil, clock: clock)
        defer { gateway.stop() }
        let slow = try RawClient(port: gateway.port)
        try slow.request("GET", "/flood")
        _ = try slow.read(through: "\r\n\r\n")
        // Anything still pending arrives while other requests are answered.
        for number in 0..<50 {
            let other = try RawClient(port: gateway.port)
            try other.request("GET", "/\(number)", ["Connection: close"])
            #expect(try other.response().text == "short")
        }
        // A socket of the gateway buffers 128 KiB more than its client reads.
        #expect(origin.sent <= 1 << 20)
    }

    @Test(
        "Content that a caller read before it stopped is not kept in memory, nor the response it would replace",
        arguments: [[], ["Cache-Control: no-cache"]]
    )
    func stopped(lines: [String]) throws {
        let length = 6 << 20
        let clock = VirtualClock(wallSeconds: 1_000_000)
        let gateway = try Self.gateway(FloodingOrigin(length: length), disk: nil, clock: clock)
        defer { gateway.stop() }
        let fast = try RawClient(port: gateway.port)
        try fast.request("GET", "/flood")
        #expect(try fast.response().body.count == length)
        #expect(gateway.entryCount == 1)
        clock.advance(by: .seconds(61))
        let slow = try RawClient(port: gateway.port)
        try slow.request("GET", "/flood", lines)
        _ = try slow.read(through: "\r\n\r\n")
        _ = try slow.read(count: 1 << 20)
        // Waits until activity on other threads has ended.
        for _ in 0..<20 where gateway.entryCount > 0 {
            clock.advance(by: .milliseconds(2_500))
            let other = try RawClient(port: gateway.port)
            try other.request("POST", "/other", ["Connection: close"])
            #expect(try other.response().text == "short")
        }
        #expect(gateway.entryCount == 0)
        #expect(try slow.read(count: length - (1 << 20)).count == length - (1 << 20))
        #expect(gateway.entryCount == 0)
    }

    private static func gateway(
        _ origin: FloodingOrigin,
        disk: String?,
        clock: any TimeSource
    ) throws -> Gateway {
        let configuration = Gateway.Configuration(mode: .reverse(origin: "http://origin"))
        let store = CacheStore.Configuration(
            memoryCapacity: .mebibytes(32),
            diskCapacity: disk == nil ? .zero : .gibibytes(1),
            directory: disk,
            largestShare: 0.25
        )
        let gateway = Gateway(
            configuration,
            store: try CacheStore(store, clock: clock),
            transport: origin,
            clock: clock
        )
        try gateway.start()
        return gateway
    }
}

/// An origin in this process that sends `/flood` as fast as possible, and short content otherwise.
private final class FloodingOrigin: Transport {
    /// The length; `nil` for content without a declared length.
    private let length: Int?
    private let count = Lock(0)
    // The pool's threads are busy with tests that wait for answers.
    let executor: (any TaskExecutor)? = ThreadExecutor()

    init(length: Int?) { self.length = length }

    /// Bytes of the flood that were accepted.
    var sent: Int { count.withLock { $0 } }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        var response = HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"])
        guard request.head.path == "/flood" else {
            receiver.receive(rest: TransportRest(head: response, piece: Array("short".utf8), end: Self.end))
            return Flood(receiver, 0) { _ in }
        }
        if let length { response.headerFields[.contentLength] = "\(length)" }
        receiver.receive(head: response)
        let flood = Flood(receiver, length ?? .max) { [count] sent in count.withLock { $0 += sent } }
        flood.resume()
        return flood
    }

    static var end: Result<TransportEnd, TransportError> {
        var end = TransportEnd()
        end.isLengthChecked = true
        return .success(end)
    }
}

/// One answer of a `FloodingOrigin`.
private final class Flood: TransportExchange {
    private let receiver: any TransportReceiver
    private let left: Lock<Int>
    private let report: @Sendable (Int) -> Void

    init(_ receiver: any TransportReceiver, _ length: Int, report: @escaping @Sendable (Int) -> Void) {
        self.receiver = receiver
        left = Lock(length)
        self.report = report
    }

    func resume() {
        while left.withLock({ $0 > 0 }) {
            let piece = [UInt8](repeating: 0x78, count: min(64 << 10, left.withLock { $0 }))
            left.withLock { $0 -= piece.count }
            report(piece.count)
            guard receiver.receive(piece: piece) else { return }
        }
        receiver.receive(end: FloodingOrigin.end)
    }

    func cancel() {
        left.withLock { $0 = 0 }
        receiver.receive(end: .failure(TransportError(.cancelled, "It is not wanted any more.")))
    }
}
