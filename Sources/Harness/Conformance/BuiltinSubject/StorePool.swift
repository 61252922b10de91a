import CacheStorage
import Clocks
import Scenarios

/// An open, empty store with its clock and folder.
struct OpenStore: Sendable {
    /// The store's clock, which is the scenario's.
    let clock: StoreClock
    /// The folder of the disk tier; `nil` if that is disabled.
    let folder: ScratchFolder?
    var store: CacheStore
    /// Whether the next scenario may use the store after it is cleared.
    var isReusable: Bool
}

/// Keeps an empty store ready for each scenario and clears or closes it afterwards.
///
/// Opening and closing a database takes longer than most scenarios, so the next one uses a store that is as good as
/// new: nothing else refers to it, so that nothing can still be stored in it, its capacities were never changed, and
/// its files were never touched from outside.
struct StorePool: Sendable {
    private let emptyStore: EmptyStore
    private let wallSeconds: Double
    private let pool: Pool<OpenStore>

    /// Creates a pool of stores whose clocks start at `wallSeconds`.
    init(wallSeconds: Double) throws(SubjectError) {
        let emptyStore = try EmptyStore()
        (self.emptyStore, self.wallSeconds) = (emptyStore, wallSeconds)
        pool = Pool(.init(ready: 4, lingering: 2, used: 32, batch: 3)) { () throws(SubjectError) in
            try Self.make(ClientSettings(), emptyStore, wallSeconds)
        } restore: { used in
            if Self.restore(&used) { return true }
            used.store.close()
            return false
        }
    }

    /// Returns an open, empty store with these capacities, and a clock that has not moved.
    ///
    /// Unless the scenario checks the disk while the client runs, nothing is written until the end: closing the store
    /// writes everything, and clearing entries that were never written costs nothing.
    func open(_ settings: ClientSettings, asksAboutDisk: Bool = false) throws(SubjectError) -> OpenStore {
        let opened =
            if let known = ready(settings) { known } else { try Self.make(settings, emptyStore, wallSeconds) }
        opened.store.deferWrites(!asksAboutDisk && Self.isUsual(settings))
        return opened
    }

    private func ready(_ settings: ClientSettings) -> OpenStore? {
        guard Self.isUsual(settings), let ready = pool.take() else { return nil }
        ready.clock.follow(VirtualClock(wallSeconds: wallSeconds))
        return ready
    }

    /// Opens a store in the folder of another, as after a restart.
    static func reopen(
        _ folder: ScratchFolder?,
        _ settings: ClientSettings,
        _ clock: any TimeSource
    ) throws(SubjectError) -> CacheStore {
        var configuration = CacheStore.Configuration()
        configuration.memoryCapacity = .bytes(settings.memoryCapacity)
        configuration.diskCapacity = .bytes(settings.diskCapacity)
        configuration.directory = folder?.path
        configuration.largestShare = settings.largestShare
        do throws(StorageError) {
            return try CacheStore(configuration, clock: clock)
        } catch {
            throw SubjectError("The store cannot be opened: \(error)")
        }
    }

    /// Takes a store back; its folder is emptied or removed soon.
    func close(_ store: OpenStore) {
        if !pool.recycle(store) { store.store.close() }
    }

    /// Closes everything; called once, after the last scenario.
    func stop() {
        for store in pool.stop() { store.store.close() }
    }

    private static func isUsual(_ settings: ClientSettings) -> Bool {
        let usual = ClientSettings()
        return settings.memoryCapacity == usual.memoryCapacity && settings.diskCapacity == usual.diskCapacity
            && settings.largestShare == usual.largestShare
    }

    private static func make(
        _ settings: ClientSettings,
        _ emptyStore: EmptyStore,
        _ wallSeconds: Double
    ) throws(SubjectError) -> OpenStore {
        let clock = StoreClock(VirtualClock(wallSeconds: wallSeconds))
        let folder = settings.diskCapacity > 0 ? try makeFolder(emptyStore) : nil
        return OpenStore(
            clock: clock,
            folder: folder,
            store: try reopen(folder, settings, clock),
            isReusable: isUsual(settings)
        )
    }

    private static func makeFolder(_ emptyStore: EmptyStore) throws(SubjectError) -> ScratchFolder {
        let folder: ScratchFolder
        do throws(HarnessProblem) {
            folder = try ScratchFolder()
        } catch {
            throw SubjectError(error.description)
        }
        try emptyStore.copy(to: folder)
        return folder
    }

    /// Restores a store to an empty state; returns whether that is possible.
    private static func restore(_ used: inout OpenStore) -> Bool {
        // This is the only reference; the holder of any other may still store something.
        guard used.isReusable, isKnownUniquelyReferenced(&used.store) else { return false }
        return used.store.forgetUnwritten() || isEmptied(used)
    }

    /// Removes everything from a store; returns whether that succeeded.
    private static func isEmptied(_ used: OpenStore) -> Bool {
        if used.store.entryCount > 0 { used.store.removeAll() }
        let files = used.folder?.files ?? []
        return used.store.entryCount == 0 && !files.contains { $0.hasSuffix(".body") }
    }
}
