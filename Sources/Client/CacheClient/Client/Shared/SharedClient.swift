import Locks

/// The client that a whole program shares: one that was set, otherwise one over a shared store, which is replaced as soon
/// as the store has changed.
final class SharedClient: Sendable {
    private enum Current {
        case none
        case made(CachingClient)
        case set(CachingClient)
    }
    private let shared: SharedStore
    private let current = Lock(Current.none)

    init(over shared: SharedStore) { self.shared = shared }

    var client: CachingClient {
        get {
            switch current.withLock({ $0 }) {
            case .set(let client): client
            case .made(let client): client.usesStore(of: shared) ? client : remade(replacing: client)
            case .none: remade(replacing: nil)
            }
        }
        set { current.withLock { $0 = .set(newValue) } }
    }

    /// Makes a client; threads that do so at the same time receive the same one.
    private func remade(replacing old: CachingClient?) -> CachingClient {
        let new = CachingClient.make(over: shared, replacing: old)
        return current.withLock { current in
            switch current {
            case .set(let client): return client
            case .made(let client) where client !== old: return client
            case .made, .none:
                current = .made(new)
                return new
            }
        }
    }
}

extension CachingClient {
    /// Whether the client has the store and the expiry that a shared store has now.
    fileprivate func usesStore(of shared: SharedStore) -> Bool {
        store === shared.store && configuration.expirationInterval == shared.expirationInterval
    }
}
