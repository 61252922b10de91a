import CLibrary
import Locks
import Threads

/// The inotify instance that all watches of a process share, and the thread that reads from it.
final class FileNotifier: Sendable {
    /// Shared because Linux allows a user 128 instances by default and takes milliseconds to close one.
    static let shared = FileNotifier()

    /// Identifies a listener.
    struct Ticket: Sendable {
        fileprivate let watch: CInt
        fileprivate let number: UInt64
    }
    private struct Listener {
        let number: UInt64
        let changes: FileChanges
        let notify: @Sendable () -> Void
    }
    private struct State {
        /// Negative until the first watch.
        var descriptor: CInt = -1
        var lastNumber: UInt64 = 0
        /// By inotify watch; a file has one watch for all its listeners.
        var listeners: [CInt: [Listener]] = [:]
    }
    // Held over the system calls that add and remove watches, which do not block: the last listener of a file must not
    // remove its watch while a new listener is given the same one.
    private let state = Lock(State())

    /// Adds a listener that is called after changes; returns `nil` if the system refuses.
    func add(_ path: String, _ changes: FileChanges, _ notify: @escaping @Sendable () -> Void) -> Ticket? {
        state.withLock { state in
            guard begin(&state) else { return nil }
            let mask = changes.rawValue | UInt32(IN_MASK_ADD)
            let watch = inotify_add_watch(state.descriptor, path, mask)
            guard watch >= 0 else { return nil }
            state.lastNumber += 1
            let listener = Listener(number: state.lastNumber, changes: changes, notify: notify)
            state.listeners[watch, default: []].append(listener)
            return Ticket(watch: watch, number: state.lastNumber)
        }
    }

    /// Removes a listener.
    func remove(_ ticket: Ticket) {
        state.withLock { state in
            // The system removes the watch itself when the file is deleted.
            guard var listeners = state.listeners[ticket.watch] else { return }
            listeners.removeAll { $0.number == ticket.number }
            state.listeners[ticket.watch] = listeners.isEmpty ? nil : listeners
            if listeners.isEmpty { inotify_rm_watch(state.descriptor, ticket.watch) }
        }
    }

    /// Opens the instance and starts the thread if that has not been done; returns whether they are there.
    private func begin(_ state: inout State) -> Bool {
        guard state.descriptor < 0 else { return true }
        let descriptor = inotify_init1(CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { return false }
        guard let thread = SystemThread.start({ FileNotifier.shared.run() }) else {
            close(descriptor)
            return false
        }
        thread.detach()
        state.descriptor = descriptor
        return true
    }

    // MARK: The thread

    private func run() {
        let descriptor = state.withLock { $0.descriptor }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            let events = FileEvents(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            for notify in listeners(to: events) { notify() }
        }
    }

    private func listeners(to events: FileEvents) -> [@Sendable () -> Void] {
        state.withLock { state in
            let watches = events.hasGap ? Array(state.listeners.keys) : Array(events.changes.keys)
            let notified = watches.flatMap { watch in
                (state.listeners[watch] ?? []).filter { events.concerns(watch, $0.changes) }.map(\.notify)
            }
            for watch in events.ended { state.listeners[watch] = nil }
            return notified
        }
    }
}
