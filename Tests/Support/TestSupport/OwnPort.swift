import CLibrary
import Locks

/// Ports for servers that stop and start again.
///
/// A port that the system chooses is free for any process once its server stops, and tests run concurrently.
public enum OwnPort {
    /// Below the ports that the system assigns, and apart from those of `Loopback.freePort`.
    private static let range = 20_000..<32_000
    /// Other processes start at a different port.
    private static let last = Lock(range.lowerBound + Int(getpid()) * 37 % range.count)

    /// Returns an unused port of 127.0.0.1 that the system does not assign; never the same twice in this process.
    public static func next() throws -> Int {
        for _ in range {
            let port = last.withLock { last in
                last = last + 1 < range.upperBound ? last + 1 : range.lowerBound
                return last
            }
            // A port that refuses connections is unused.
            do { _ = try RawClient(port: port) } catch { return port }
        }
        throw RawClient.Failure(what: "find a port", code: 0)
    }
}
