import CacheStorage

/// A store that forwards to another every call that it does not implement; each has one defect.
typealias StoreDecorator = ResponseStoreDecorator

/// A store that forwards every call, and has no defect.
final class ForwardingStore: StoreDecorator {
    let base: any ResponseStore

    init(_ base: any ResponseStore) { self.base = base }
}
