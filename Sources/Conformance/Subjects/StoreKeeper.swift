import CacheStorage
import Clocks
import Locks
import Scenarios

/// An open store that holds nothing, with what belongs to it.
struct OpenStore: Sendable {
    /// The scenario's clock, which the store goes by.
    let clock: VirtualClock
    /// The folder of its disk tier; `nil` where that is off.
    let folder: ScratchFolder?
    let store: CacheStore
}

/// Opens a store for each scenario ahead of time, and closes it behind its back, on a thread of its own.
///
/// Opening and closing a database takes longer than most scenarios do.
final class StoreKeeper: Sendable {
    private enum Task {
        case prepare
        case clear(OpenStore)
        case rest
        case stop
    }
    private struct State {
        var ready: [OpenStore] = []
        var used: [OpenStore] = []
        var isPreparing = true
        var isStopping = false
        var thread: JobThread?
    }
    private static let readyLimit = 2
    private static let usedLimit = 32
    private let emptyStore: EmptyStore
    private let wallSeconds: Double
    private let state = Lock(State())
    private let signal = Signal()

    /// Creates a keeper of stores whose clocks stand at `wallSeconds`.
    init(wallSeconds: Double) throws(SubjectError) {
        self.wallSeconds = wallSeconds
        emptyStore = try EmptyStore()
        let thread = JobThread { [self] in keep() }
        state.withLock { $0.thread = thread }
    }

    /// Returns an open, empty store with these capacities, and a clock that has not moved.
    func open(_ settings: ClientSettings) throws(SubjectError) -> OpenStore {
        if Self.isUsual(settings), let ready = state.withLock({ $0.ready.popLast() }) {
            signal.raise()
            return ready
        }
        return try make(settings)
    }

    /// Opens a store on the folder of another, as after a restart.
    static func reopen(
        _ folder: ScratchFolder?,
        _ settings: ClientSettings,
        _ clock: VirtualClock
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

    /// Closes a store and removes its folder, soon.
    func close(_ store: OpenStore) {
        let isTaken = state.withLock { state in
            guard state.used.count < Self.usedLimit, !state.isStopping else { return false }
            state.used.append(store)
            return true
        }
        if isTaken { signal.raise() } else { store.store.close() }
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
        let clock = VirtualClock(wallSeconds: wallSeconds)
        let folder = settings.diskCapacity > 0 ? try makeFolder() : nil
        return OpenStore(clock: clock, folder: folder, store: try Self.reopen(folder, settings, clock))
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
            case .clear(let store): store.store.close()
            case .rest: _ = signal.wait(after: seen)
            case .stop: return
            }
        }
    }

    private func nextTask() -> Task {
        state.withLock { state in
            if state.isStopping {
                guard let store = state.used.popLast() ?? state.ready.popLast() else { return .stop }
                return .clear(store)
            }
            let wantsMore = state.isPreparing && state.ready.count < Self.readyLimit
            if wantsMore, state.ready.isEmpty || state.used.isEmpty { return .prepare }
            if let store = state.used.popLast() { return .clear(store) }
            return .rest
        }
    }

    private func prepare() {
        do throws(SubjectError) {
            let store = try make(ClientSettings())
            state.withLock { $0.ready.append(store) }
        } catch {
            // The scenario that opens its own store meets the same problem, and tells it.
            state.withLock { $0.isPreparing = false }
        }
    }
}
