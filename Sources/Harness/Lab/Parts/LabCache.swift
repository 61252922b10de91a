import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

/// A cache of the lab: its rules and its store.
struct LabCache: Sendable {
    let name: LabCacheName
    let engine: CacheEngine
    let store: CacheStore

    init(_ name: LabCacheName, _ engine: CacheEngine, clock: any TimeSource) throws(StorageError) {
        (self.name, self.engine) = (name, engine)
        store = try CacheStore(
            CacheStore.Configuration(memoryCapacity: .mebibytes(8), diskCapacity: .zero, largestShare: 0.5),
            clock: clock
        )
    }

    /// Returns the stored responses for a URL, the most recent first.
    func entries(of url: HTTPRequest) -> [CacheEntry] {
        store.entries(for: engine.key(for: url)).entries.map(\.entry)
            .sorted { ($1.stored.date, $1.stored.variant.text) < ($0.stored.date, $0.stored.variant.text) }
    }
}
