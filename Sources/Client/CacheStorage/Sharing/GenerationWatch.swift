import Clocks
import FileWatching
import Locks

/// A watch that restores a damaged generation file: at once if the system reports the damage, otherwise within a
/// second.
final class GenerationWatch: Sendable {
    /// Creates a watch; returns `nil` if the system provides none.
    typealias Watcher = @Sendable (String, FileChanges, @escaping @Sendable () -> Void) -> FileWatch?

    private struct State {
        /// Detects truncation of the file; renewed for each file that the path names.
        var file: FileWatch?
        /// Detects that the path names another file.
        var folder: FileWatch?
        /// Detects that files of the folder are removed, or the folder renamed.
        var losses: FileWatch?
        /// Real time, because the damaged file is a real file.
        var clock: SystemClock?
    }
    private weak let file: GenerationFile?
    private let path: String
    private let watcher: Watcher
    private let state = Lock(State())

    /// Creates a watch of `file`, which starts with `renew()`.
    init(_ file: GenerationFile, by watcher: @escaping Watcher) {
        self.file = file
        path = file.path
        self.watcher = watcher
    }

    /// Watches the file that the path names now, and restores damage from before the watch.
    func renew() {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let hasFolder = state.withLock { $0.folder != nil }
        let news = hasFolder ? nil : watcher(folder, .appeared) { [weak self] in self?.renew() }
        let losses =
            hasFolder ? nil : watcher(folder, [.disappeared, .gone]) { [weak file] in file?.noteLoss() }
        let watch = watcher(path, .modified) { [weak file] in file?.restore() }
        let (isBlind, old) = state.withLock { state in
            let old = watch == nil ? nil : state.file
            if let news { (state.folder, state.losses) = (news, losses) }
            if let watch { state.file = watch }
            return (state.folder == nil || state.file == nil, old)
        }
        // Released outside of the lock, after the new watch exists: for the system, two watches of one file are the
        // same.
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
