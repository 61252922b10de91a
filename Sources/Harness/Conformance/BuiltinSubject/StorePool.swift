import CacheStorage
import Clocks
import Locks
import Scenarios
import Threads

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

/// Keeps an empty store ready for each scenario and clears or closes it afterwards, on a separate thread.
///
/// Opening and closing a database takes longer than most scenarios, so the next one uses a store that is as good as
/// new: nothing else refers to it, so that nothing can still be stored in it, its capacities were never changed, and
/// its files were never touched from outside.
final class StorePool: Sendable {
    private enum Task {
        case prepare
        case clear
        case rest
        case stop
    }
    private struct State {
        var ready: [OpenStore] = []
        var used: [OpenStore] = []
        var isPreparing = true
        var isStopping = false
        var thread: SystemThread?
    }
    private static let readyLimit = 4
    /// The number of used stores that are left alone for a while, so that a scenario's remaining work can end.
    private static let lingerLimit = 2
    private static let usedLimit = 32
    /// The number of stores that must be used or missing before the thread is woken, which takes longer than clearing one.
    private static let batch = 3
    private let emptyStore: EmptyStore
    private let wallSeconds: Double
    private let state = Lock(State())
    private let signal = Signal()

    /// Creates a pool of stores whose clocks start at `wallSeconds`.
    init(wallSeconds: Double) throws(SubjectError) {
        self.wallSeconds = wallSeconds
        emptyStore = try EmptyStore()
        let thread = SystemThread { [self] in keep() }
        state.withLock { $0.thread = thread }
    }

    /// Returns an open, empty store with these capacities, and a clock that has not moved.
    ///
    /// Unless the scenario checks the disk while the client runs, nothing is written until the end: closing the store
    /// writes everything, and clearing entries that were never written costs nothing.
    func open(_ settings: ClientSettings, asksAboutDisk: Bool = false) throws(SubjectError) -> OpenStore {
        let opened = if let known = ready(settings) { known } else { try make(settings) }
        opened.store.deferWrites(!asksAboutDisk && Self.isUsual(settings))
        return opened
    }

    private func ready(_ settings: ClientSettings) -> OpenStore? {
        guard Self.isUsual(settings) else { return nil }
        let (found, isLow) = state.withLock { state in
            (state.ready.popLast(), state.ready.count <= Self.readyLimit - Self.batch)
        }
        if isLow { signal.raise() }
        guard let ready = found else { return nil }
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
        let (isTaken, count) = state.withLock { state in
            guard state.used.count < Self.usedLimit, !state.isStopping else { return (false, 0) }
            state.used.append(store)
            return (true, state.used.count)
        }
        if !isTaken { store.store.close() }
        if count > Self.lingerLimit + Self.batch { signal.raise() }
    }

    /// Closes everything; called once, after the last scenario.
    func stop() {
        let thread = state.withLock { state in
            state.isStopping = true
            return state.thread
        }
        signal.raise()
        thread?.join()
    }

    private static func isUsual(_ settings: ClientSettings) -> Bool {
        let usual = ClientSettings()
        return settings.memoryCapacity == usual.memoryCapacity && settings.diskCapacity == usual.diskCapacity
            && settings.largestShare == usual.largestShare
    }

    private func make(_ settings: ClientSettings) throws(SubjectError) -> OpenStore {
        let clock = StoreClock(VirtualClock(wallSeconds: wallSeconds))
        let folder = settings.diskCapacity > 0 ? try makeFolder() : nil
        return OpenStore(
            clock: clock,
            folder: folder,
            store: try Self.reopen(folder, settings, clock),
            isReusable: Self.isUsual(settings)
        )
    }

    private func makeFolder() throws(SubjectError) -> ScratchFolder {
        let folder: ScratchFolder
        do throws(HarnessProblem) {
            folder = try ScratchFolder()
        } catch {
            throw SubjectError(error.description)
        }
        try emptyStore.copy(to: folder)
        return folder
    }

    // MARK: The thread

    private func keep() {
        while true {
            let seen = signal.count
            switch nextTask() {
            case .prepare: prepare()
            case .clear: clearOldest()
            case .rest: _ = signal.wait(after: seen)
            case .stop: return closeAll()
            }
        }
    }

    private func nextTask() -> Task {
        state.withLock { state in
            if state.isStopping { return .stop }
            if state.used.count > Self.lingerLimit { return .clear }
            return state.isPreparing && state.ready.count < Self.readyLimit ? .prepare : .rest
        }
    }

    private func prepare() {
        do throws(SubjectError) {
            let store = try make(ClientSettings())
            state.withLock { $0.ready.append(store) }
        } catch {
            // A scenario that opens its own store meets the same problem and reports it.
            state.withLock { $0.isPreparing = false }
        }
    }

    /// Restores the store that was given back first to an empty state, or closes it if that is not possible.
    private func clearOldest() {
        // This is the pool's only reference; the holder of any other may still store something.
        var used = state.withLock { $0.used.removeFirst() }
        guard used.isReusable, isKnownUniquelyReferenced(&used.store) else { return used.store.close() }
        guard used.store.forgetUnwritten() || Self.isEmptied(used) else { return used.store.close() }
        state.withLock { $0.ready.append(used) }
    }

    /// Removes everything from a store; returns whether that succeeded.
    private static func isEmptied(_ used: OpenStore) -> Bool {
        if used.store.entryCount > 0 { used.store.removeAll() }
        let files = used.folder?.files ?? []
        return used.store.entryCount == 0 && !files.contains { $0.hasSuffix(".body") }
    }

    private func closeAll() {
        let stores = state.withLock { state in
            defer { (state.used, state.ready) = ([], []) }
            return state.used + state.ready
        }
        for store in stores { store.store.close() }
    }
}
