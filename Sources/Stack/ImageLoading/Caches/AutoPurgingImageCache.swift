public import CacheSemantics
public import Clocks
import Locks

/// A memory cache of images that purges itself when it exceeds its capacity.
///
/// A purge removes the least recently used images until the preferred usage is reached. Reads run
/// concurrently; writes and purges are exclusive.
public final class AutoPurgingImageCache: ImageMemoryCache {
    /// An image in the cache and its usage.
    public struct Entry: Sendable {
        /// The image, decoded.
        public var image: RasterImage
        /// The identifier under which it is stored.
        public var identifier: String
        /// The size of its pixels.
        public var size: ByteCount
        /// When it was last read or added, in the clock's elapsed time.
        public var lastAccess: Duration
    }
    /// A stored image; the time of access has its own lock, because concurrent readers write it.
    private final class Record: Sendable {
        let entry: CachedImage
        let byteCount: Int
        let access: Lock<(moment: Duration, number: UInt64)>

        init(_ entry: CachedImage, at access: (Duration, UInt64)) {
            self.entry = entry
            byteCount = entry.image.byteCost
            self.access = Lock((moment: access.0, number: access.1))
        }
    }
    private struct State: Sendable {
        var records: [String: Record] = [:]
        var usage = 0
    }
    /// The size above which images are purged; default 100 MiB.
    public let capacity: ByteCount
    /// The largest size that a purge leaves; default 60 MiB.
    public let preferredUsage: ByteCount
    private let clock: any TimeSource
    private let state = ReadWriteLock(State())
    private let accesses = Lock(UInt64(0))
    private let subscription = Lock<PressureSubscription?>(nil)
    /// Called inside the read lock; lets a test observe concurrent readers.
    private let onRead: (@Sendable () -> Void)?

    /// Creates an empty cache, which any signal of `pressure` empties.
    public convenience init(
        capacity: ByteCount = .mebibytes(100),
        preferredUsage: ByteCount = .mebibytes(60),
        clock: any TimeSource,
        pressure: (any MemoryPressureSource)? = nil
    ) {
        self.init(capacity, preferredUsage, clock, pressure, onRead: nil)
    }

    init(
        _ capacity: ByteCount,
        _ preferredUsage: ByteCount,
        _ clock: any TimeSource,
        _ pressure: (any MemoryPressureSource)?,
        onRead: (@Sendable () -> Void)?
    ) {
        self.capacity = capacity
        self.preferredUsage = min(preferredUsage, capacity)
        self.clock = clock
        self.onRead = onRead
        let held = pressure?.subscribe { [weak self] in self?.relieve($0) }
        subscription.withLock { $0 = held }
    }

    /// The total size of all images.
    public var usage: ByteCount { .bytes(state.read { $0.usage }) }

    /// The number of images.
    public var count: Int { state.read { $0.records.count } }

    /// All entries, least recently used first; reading them does not count as a use.
    public var entries: [Entry] {
        state.read { Self.byAccess($0.records) }.map { identifier, record in
            Entry(
                image: record.entry.image,
                identifier: identifier,
                size: .bytes(record.byteCount),
                lastAccess: record.access.withLock { $0.moment }
            )
        }
    }

    /// Returns the entry of an identifier and updates its last access.
    public func entry(for identifier: String) -> CachedImage? {
        state.read { state in
            onRead?()
            guard let record = state.records[identifier] else { return nil }
            let access = nextAccess()
            record.access.withLock { $0 = access }
            return record.entry
        }
    }

    /// Stores an image, replacing the previous one, and purges if the capacity is exceeded.
    public func store(_ entry: CachedImage, for identifier: String) {
        let record = Record(entry, at: nextAccess())
        state.write { state in
            if let before = state.records.updateValue(record, forKey: identifier) {
                state.usage -= before.byteCount
            }
            state.usage += record.byteCount
            purge(&state)
        }
    }

    /// Removes an image.
    @discardableResult
    public func removeImage(for identifier: String) -> Bool {
        state.write { state in
            guard let record = state.records.removeValue(forKey: identifier) else { return false }
            state.usage -= record.byteCount
            return true
        }
    }

    /// Removes all images.
    public func removeAllImages() { state.write { $0 = State() } }

    private func purge(_ state: inout State) {
        guard state.usage > capacity.bytes else { return }
        let excess = state.usage - preferredUsage.bytes
        var purged = 0
        for (identifier, record) in Self.byAccess(state.records) where purged < excess {
            state.records[identifier] = nil
            purged += record.byteCount
        }
        state.usage -= purged
    }

    private static func byAccess(_ records: [String: Record]) -> [(key: String, value: Record)] {
        records.map { ($0, $1, $1.access.withLock { $0 }) }
            .sorted { ($0.2.moment, $0.2.number) < ($1.2.moment, $1.2.number) }
            .map { (key: $0.0, value: $0.1) }
    }

    private func nextAccess() -> (moment: Duration, number: UInt64) {
        let number = accesses.withLock { number in
            number += 1
            return number
        }
        return (clock.elapsed, number)
    }
}
