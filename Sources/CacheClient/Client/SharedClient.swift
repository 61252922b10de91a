import CacheStorage
import Clocks
import Locks

/// A client for those who want one and no more: made when it is first used, replaceable at any time.
///
/// Nothing else in the library refers to it. Loads go on with the client that they began with.
public enum SharedClient {
    private static let client = Lock<CachingClient?>(nil)

    /// The client; at first one with a private cache in memory, 4 MiB, on the machine's clock.
    ///
    /// Throws where no thread can be started for it.
    public static func current() throws(TransportError) -> CachingClient {
        if let client = client.withLock({ $0 }) { return client }
        let made = try make()
        return client.withLock { client in
            if let client { return client }
            client = made
            return made
        }
    }

    /// Replaces the client, for instance by one whose store has a folder.
    public static func use(_ replacement: CachingClient) { client.withLock { $0 = replacement } }

    private static func make() throws(TransportError) -> CachingClient {
        let clock = SystemClock()
        do {
            let store = try CacheStore(CacheStore.Configuration(), clock: clock)
            return CachingClient(store: store, transport: try CurlTransport(), clock: clock)
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.unknown, "\(error)")
        }
    }
}
