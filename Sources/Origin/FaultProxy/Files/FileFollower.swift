import CLibrary
import FileReading
import FileWatching
import LocatedYAML
import Locks

/// Reads a file again when it changes.
final class FileFollower: Sendable {
    /// The state in which the file was last seen.
    private enum Seen: Equatable {
        case content([UInt8])
        /// It cannot be read, for this reason.
        case unreadable(String)
    }
    private let path: String
    private let seen: Lock<Seen>
    private let watch = Lock<FileWatch?>(nil)
    private let changed: @Sendable (Result<String, YAMLProblems>) -> Void

    /// Creates a follower of a file that has had this text; `changed` is called with others, one after another.
    init(_ path: String, text: String, changed: @escaping @Sendable (Result<String, YAMLProblems>) -> Void) {
        self.path = path
        seen = Lock(.content(Array(text.utf8)))
        self.changed = changed
    }

    /// Starts to follow: the folder is watched, because editors replace files.
    func start() {
        let watch = FileWatch(FileAccess.folder(of: path), [.finished, .appeared]) { [weak self] in
            self?.check()
        }
        self.watch.withLock { $0 = watch }
    }

    /// Ends following.
    func stop() {
        let ended = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        // Outside of the lock.
        withExtendedLifetime(ended) {}
    }

    private func check() {
        guard let new = Self.look(path) else { return }
        let isNew = seen.withLock { seen in
            defer { seen = new }
            return seen != new
        }
        if isNew { changed(text(of: new)) }
    }

    /// Returns the current state of the file; `nil` if it does not exist, as while an editor replaces it.
    private static func look(_ path: String) -> Seen? {
        switch FileAccess.content(ofFile: path, readsPipes: false) {
        case .success(let bytes): .content(bytes)
        case .failure(let failure): access(path, F_OK) == 0 ? .unreadable(failure.reason) : nil
        }
    }

    private func text(of seen: Seen) -> Result<String, YAMLProblems> {
        let text: Result<String, FileAccess.Failure> =
            switch seen {
            case .content(let bytes): FileAccess.decoded(bytes)
            case .unreadable(let reason): .failure(FileAccess.Failure(reason: reason))
            }
        return text.mapError { failure in
            let found = "a file that cannot be read: \(failure.reason)"
            return YAMLProblems(at: Position(file: path), found: found, expected: "UTF-8 text")
        }
    }
}
