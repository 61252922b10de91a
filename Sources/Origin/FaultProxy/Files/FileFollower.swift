import CLibrary
import FileReading
import FileWatching
import LocatedYAML
import Locks

/// Reads a file again when it changes.
final class FileFollower: Sendable {
    private let path: String
    private let text: Lock<String>
    private let watch = Lock<FileWatch?>(nil)
    private let changed: @Sendable (Result<String, YAMLProblems>) -> Void

    /// Creates a follower of a file that has had this text; `changed` is called with others, one after another.
    init(_ path: String, text: String, changed: @escaping @Sendable (Result<String, YAMLProblems>) -> Void) {
        self.path = path
        self.text = Lock(text)
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
        guard case .success(let bytes) = FileAccess.content(ofFile: path, isPipeRead: false) else { return }
        let new = String(decoding: bytes, as: UTF8.self)
        let isNew = text.withLock { text in
            defer { text = new }
            return text != new
        }
        guard isNew else { return }
        changed(new.utf8.elementsEqual(bytes) ? .success(new) : .failure(notText))
    }

    private var notText: YAMLProblems {
        YAMLProblems(at: Position(file: path), found: "bytes that are not UTF-8", expected: "UTF-8 text")
    }
}
