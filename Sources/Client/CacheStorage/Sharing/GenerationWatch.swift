import Clocks
import FileWatching
import Locks

/// Has a generation file restored when somebody damages it: at once where the system tells of it, else within a second.
final class GenerationWatch: Sendable {
    /// Makes a watch; `nil` where the system gives none.
    typealias Watcher = @Sendable (String, FileChanges, @escaping @Sendable () -> Void) -> FileWatch?

    private struct State {
        /// Sees when the file is made shorter; one for each file that the name has stood for.
        var file: FileWatch?
        /// Sees when the name stands for another file.
        var folder: FileWatch?
        /// Real time, as what is damaged is a real file.
        var clock: SystemClock?
    }
    private weak let file: GenerationFile?
    private let path: String
    private let watcher: Watcher
    private let state = Lock(State())

    /// Creates a watch over `file`, which begins with `renew()`.
    init(_ file: GenerationFile, by watcher: @escaping Watcher) {
        self.file = file
        path = file.path
        self.watcher = watcher
    }

    /// Watches the file that the name stands for now, and restores what was damaged before somebody watched.
    func renew() {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let hasFolder = state.withLock { $0.folder != nil }
        let news = hasFolder ? nil : watcher(folder, .appeared) { [weak self] in self?.renew() }
        let watch = watcher(path, .modified) { [weak file] in file?.restore() }
        let (isBlind, old) = state.withLock { state in
            let old = watch == nil ? nil : state.file
            if let news { state.folder = news }
            if let watch { state.file = watch }
            return (state.folder == nil || state.file == nil, old)
        }
        // Gone outside of the lock, after the new one has come: of the same file it is the same to the system.
        withExtendedLifetime(old) {}
        file?.restore()
        if isBlind { lookLater() }
    }

    private func lookLater() {
        let clock = state.withLock { state in
            let clock = state.clock ?? SystemClock()
            state.clock = clock
            return clock
        }
        _ = clock.schedule(after: .seconds(1)) { [weak self] in self?.renew() }
    }
}
