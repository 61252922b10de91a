#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Locks

/// Ports for servers that come, go and come again.
///
/// One that the system chooses is anybody's as soon as its server stops, and tests run at the same time.
public enum OwnPort {
    /// Above what needs a privilege and below what the system chooses from.
    private static let range = 20_000..<32_000
    /// Where another process begins somewhere else.
    private static let last = Lock(range.lowerBound + Int(getpid()) * 37 % range.count)

    /// A port of 127.0.0.1 that nobody has, and nobody is given unasked; never the same in this process.
    public static func next() throws -> UInt16 {
        for _ in range {
            let port = last.withLock { last in
                last = last + 1 < range.upperBound ? last + 1 : range.lowerBound
                return UInt16(last)
            }
            // Nobody listens where nobody answers.
            do { _ = try RawClient(port: port) } catch { return port }
        }
        throw RawClient.Failure(what: "find a port", code: 0)
    }
}
