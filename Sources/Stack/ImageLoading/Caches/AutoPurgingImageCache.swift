public import Clocks
import Locks

/// Images in memory up to a number of bytes: one byte more, and those that were used longest ago go until a preferred
/// number is left.
///
/// Reads run in parallel; adding and purging have the cache to themselves.
public final class AutoPurgingImageCache: RequestImageCache {
    /// What is known of one image.
    public struct Entry: Sendable {
        /// The image.
        public var image: RasterImage
        /// Its identifier.
        public var identifier: String
        /// Bytes of its pixels.
        public var byteCount: Int
        /// When it was read or added last, in the clock's elapsed time.
        public var lastAccess: Duration
    }
    /// An image in the cache; the moment of access has a lock of its own, because readers write it.
    private final class Place: Sendable {
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
        var places: [String: Place] = [:]
        var usage = 0
    }
    /// Bytes above which images are purged; default 100 MiB.
    public let capacity: Int
    /// Bytes that a purge leaves at most; default 60 MiB.
    public let preferredUsage: Int
    private let clock: any TimeSource
    private let state = ReadWriteLock(State())
    private let accesses = Lock(UInt64(0))
    private let subscription = Lock<PressureSubscription?>(nil)
    /// Called inside the read section, for those who want to see two readers in it.
    private let onRead: (@Sendable () -> Void)?

    /// Creates an empty cache; any signal of `pressure` empties it.
    public convenience init(
        capacity: Int = 100 << 20,
        preferredUsage: Int = 60 << 20,
        clock: any TimeSource,
        pressure: (any MemoryPressureSource)? = nil
    ) {
        self.init(capacity, preferredUsage, clock, pressure, onRead: nil)
    }

    init(
        _ capacity: Int,
        _ preferredUsage: Int,
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

    /// Bytes of all images together.
    public var usage: Int { state.read { $0.usage } }

    /// The number of images.
    public var count: Int { state.read { $0.places.count } }

    /// Everything that is in the cache, without counting as a use: used longest ago first.
    public var entries: [Entry] {
        state.read { Self.byAccess($0.places) }.map { identifier, place in
            Entry(
                image: place.entry.image,
                identifier: identifier,
                byteCount: place.byteCount,
                lastAccess: place.access.withLock { $0.moment }
            )
        }
    }

    /// The entry of an identifier; this moment becomes that of its last access.
    public func entry(for identifier: String) -> CachedImage? {
        state.read { state in
            onRead?()
            guard let place = state.places[identifier] else { return nil }
            let access = nextAccess()
            place.access.withLock { $0 = access }
            return place.entry
        }
    }

    /// Adds an image in place of the one before, and purges where that exceeds the capacity.
    public func store(_ entry: CachedImage, for identifier: String) {
        let place = Place(entry, at: nextAccess())
        state.write { state in
            if let before = state.places.updateValue(place, forKey: identifier) {
                state.usage -= before.byteCount
            }
            state.usage += place.byteCount
            purge(&state)
        }
    }

    /// Removes an image.
    @discardableResult
    public func removeImage(for identifier: String) -> Bool {
        state.write { state in
            guard let place = state.places.removeValue(forKey: identifier) else { return false }
            state.usage -= place.byteCount
            return true
        }
    }

    /// Removes everything.
    public func removeAllImages() { state.write { $0 = State() } }

    private func purge(_ state: inout State) {
        guard state.usage > capacity else { return }
        let excess = state.usage - preferredUsage
        var purged = 0
        for (identifier, place) in Self.byAccess(state.places) where purged < excess {
            state.places[identifier] = nil
            purged += place.byteCount
        }
        state.usage -= purged
    }

    private static func byAccess(_ places: [String: Place]) -> [(key: String, value: Place)] {
        places.map { ($0, $1, $1.access.withLock { $0 }) }
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
