import Clocks
import Locks
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

/// A proxy in front of an origin that sends what a test tells it to.
struct ProxyStage {
    let origin: ScriptedServer
    let proxy: FaultProxy

    init(
        _ faults: String = "",
        clock: any TimeSource = SystemClock(),
        configure: (inout FaultProxy.Configuration) -> Void = { _ in },
        origin script: @escaping @Sendable (ServerConnection) -> Void
    ) throws {
        origin = ScriptedServer(script)
        let upstream = try #require(Upstream(authority: "127.0.0.1:\(origin.port)"))
        var configuration = FaultProxy.Configuration(upstream: upstream)
        configuration.faults.faults = faults.isEmpty ? [] : try Fault.list(text: faults)
        configure(&configuration)
        proxy = FaultProxy(configuration, clock: clock)
        try proxy.start()
    }

    /// An origin that answers each request with the same bytes.
    init(_ faults: String = "", answer: String, clock: any TimeSource = SystemClock()) throws {
        try self.init(faults, clock: clock) { connection in
            while connection.readHead() != nil { connection.send(answer) }
        }
    }

    func client() throws -> RawClient { try RawClient(port: proxy.port) }

    func stop() {
        proxy.stop()
        origin.stop()
    }
}

/// More bytes came than were expected.
struct Excess: Error {
    let count: Int
}

/// The bytes that were received on a connection, and its end.
struct Ending: Equatable {
    var bytes: [UInt8]
    var isReset: Bool
}

extension RawClient {
    /// Reads `count` bytes and how the connection ends after them; bytes beyond them are an error.
    func ending(after count: Int) throws -> Ending {
        let bytes = try read(count: count)
        do {
            guard try isAtEnd() else { throw Excess(count: count) }
            return Ending(bytes: bytes, isReset: false)
        } catch let error as Failure where error.what == "recv" && error.code == 104 {
            return Ending(bytes: bytes, isReset: true)
        }
    }
}
