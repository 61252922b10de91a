import CacheStorage
import Clocks
import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A shared client for programs that need only one: created when it is first used, replaceable at any time.
///
/// Nothing else in the library refers to it. Loads continue with the client with which they started.
public enum SharedClient {
    private static let client = Lock<CachingClient?>(nil)

    /// Returns the client; at first one with a private cache, 4 MiB in memory over 20 MiB on disk, on the machine's
    /// clock.
    ///
    /// The folder is `http-cache` in the program's own folder below `$XDG_CACHE_HOME`, or below `~/.cache`; if neither
    /// is set, the cache is in memory only. Throws if no thread can be started or the folder cannot be opened.
    public static func current() throws(TransportError) -> CachingClient {
        if let client = client.withLock({ $0 }) { return client }
        let made = try make(
            caches: absolutePath("XDG_CACHE_HOME") ?? absolutePath("HOME").map { $0 + "/.cache" }
        )
        return client.withLock { client in
            if let client { return client }
            client = made
            return made
        }
    }

    /// Replaces the client, for example by one whose store has a folder.
    public static func use(_ replacement: CachingClient) { client.withLock { $0 = replacement } }

    /// Creates the initial client; `caches` is the folder of all programs' caches.
    static func make(caches: String?) throws(TransportError) -> CachingClient {
        let clock = SystemClock()
        let program = CommandLine.arguments.first?.split(separator: "/").last
        let folder = caches.flatMap { caches in program.map { "\(caches)/\($0)/http-cache" } }
        do {
            let store = try CacheStore(CacheStore.Configuration(directory: folder), clock: clock)
            return CachingClient(store: store, transport: try CurlTransport(), clock: clock)
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.unknown, "\(error)")
        }
    }

    private static func absolutePath(_ variable: String) -> String? {
        guard let value = getenv(variable) else { return nil }
        let path = String(cString: value)
        return path.hasPrefix("/") ? path : nil
    }
}
