import Locks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The one instance of inotify that all watches of a process share, and the thread that reads from it.
final class FileNotifier: Sendable {
    /// One for all: a user has 128 of them, unless somebody raised that, and Linux takes milliseconds to close one.
    static let shared = FileNotifier()

    /// What names a listener.
    struct Ticket: Sendable {
        fileprivate let watch: CInt
        fileprivate let number: UInt64
    }
    private struct Listener {
        let number: UInt64
        let changes: FileChanges
        let tell: @Sendable () -> Void
    }
    private struct State {
        /// Negative until the first watch.
        var descriptor: CInt = -1
        var lastNumber: UInt64 = 0
        /// By the system's watch, of which a file has one however many listen.
        var listeners: [CInt: [Listener]] = [:]
    }
    // Held over the system calls that add and remove watches, which wait for nobody: a file's watch must not be removed
    // by its last listener while the next is given the same.
    private let state = Lock(State())

    /// Has `tell` called of changes; `nil` where the system refuses.
    func add(_ path: String, _ changes: FileChanges, _ tell: @escaping @Sendable () -> Void) -> Ticket? {
        state.withLock { state in
            guard begin(&state) else { return nil }
            let mask = changes.rawValue | UInt32(IN_MASK_ADD)
            let watch = inotify_add_watch(state.descriptor, path, mask)
            guard watch >= 0 else { return nil }
            state.lastNumber += 1
            let listener = Listener(number: state.lastNumber, changes: changes, tell: tell)
            state.listeners[watch, default: []].append(listener)
            return Ticket(watch: watch, number: state.lastNumber)
        }
    }

    /// Ends what `add` began.
    func remove(_ ticket: Ticket) {
        state.withLock { state in
            // The system has ended the watch itself where the file is gone.
            guard var listeners = state.listeners[ticket.watch] else { return }
            listeners.removeAll { $0.number == ticket.number }
            state.listeners[ticket.watch] = listeners.isEmpty ? nil : listeners
            if listeners.isEmpty { inotify_rm_watch(state.descriptor, ticket.watch) }
        }
    }

    /// Opens the instance and starts the thread, if nobody has; false where the system refuses, now.
    private func begin(_ state: inout State) -> Bool {
        guard state.descriptor < 0 else { return true }
        let descriptor = inotify_init1(CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { return false }
        var thread = pthread_t()
        state.descriptor = descriptor
        guard pthread_create(&thread, nil, fileNotifierMain, nil) == 0 else {
            close(descriptor)
            state.descriptor = -1
            return false
        }
        pthread_detach(thread)
        return true
    }

    // MARK: The thread

    fileprivate func run() {
        let descriptor = state.withLock { $0.descriptor }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 * 1024, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            let news = FileNews(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            for tell in takers(of: news) { tell() }
        }
    }

    private func takers(of news: FileNews) -> [@Sendable () -> Void] {
        state.withLock { state in
            let watches = news.hasGap ? Array(state.listeners.keys) : Array(news.changes.keys)
            let taken = watches.flatMap { watch in
                (state.listeners[watch] ?? []).filter { news.isAbout(watch, $0.changes) }.map(\.tell)
            }
            for watch in news.ended { state.listeners[watch] = nil }
            return taken
        }
    }
}

private func fileNotifierMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    FileNotifier.shared.run()
    return nil
}
