import CacheStorage
import Clocks
import Locks
import Scenarios
import Threads

/// An open store that holds nothing, with what belongs to it.
struct OpenStore: Sendable {
    /// What the store goes by: the scenario's clock.
    let clock: StoreClock
    /// The folder of its disk tier; `nil` where that is off.
    let folder: ScratchFolder?
    var store: CacheStore
    /// Whether the next scenario may have it, once it is cleared.
    var isReusable: Bool
}

/// Has an empty store ready for each scenario, and clears or closes it behind its back, on a thread of its own.
///
/// Opening and closing a database takes longer than most scenarios do, so a store that is as good as new serves the
/// next one: one that nobody holds any more, so that nothing can still be put into it, whose capacities were never
/// changed, and whose files were never touched from outside.
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
    /// How many are left alone for a while, so that what a scenario has begun can end.
    private static let lingerLimit = 2
    private static let usedLimit = 32
    /// How many more come together, or are missing, before the thread is woken: that takes longer than to clear one.
    private static let batch = 3
    private let emptyStore: EmptyStore
    private let wallSeconds: Double
    private let state = Lock(State())
    private let signal = Signal()

    /// Creates a keeper of stores whose clocks stand at `wallSeconds`.
    init(wallSeconds: Double) throws(SubjectError) {
        self.wallSeconds = wallSeconds
        emptyStore = try EmptyStore()
        let thread = SystemThread { [self] in keep() }
        state.withLock { $0.thread = thread }
    }

    /// Returns an open, empty store with these capacities, and a clock that has not moved.
    ///
    /// Where nobody asks about the disk before the client's end, nothing is written until then: closing the store writes
    /// everything, and what is cleared without having been written costs nothing.
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

    /// Opens a store on the folder of another, as after a restart.
    static func reopen(
        _ folder: ScratchFolder?,
        _ settings: ClientSettings,
        _ clock: any TimeSource
    ) throws(SubjectError) -> CacheStore {
        var configuration = CacheStore.Configuration()
        configuration.memoryCapacity = settings.memoryCapacity
        configuration.diskCapacity = settings.diskCapacity
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

    /// Closes everything; to be called once, after the last scenario.
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
            // The scenario that opens its own store meets the same problem, and reports it.
            state.withLock { $0.isPreparing = false }
        }
    }

    /// Makes the store that was given back first as good as new, or closes it where that cannot be had.
    private func clearOldest() {
        // The only reference here; the holder of any other may still store something.
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
