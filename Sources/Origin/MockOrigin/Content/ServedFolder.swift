import CLibrary
import FileWatching
import TextCodings

/// A folder to which serving files is restricted.
struct ServedFolder: Sendable {
    enum Entry {
        case file(ServedFile)
        case folder
        /// A file that exists but cannot be opened, and the system's reason.
        case unreadable(String)
        case none
    }
    /// The folder's path without links.
    private let root: String

    /// Opens a folder; `nil` if it does not exist.
    init?(path: String) {
        guard let root = Self.realPath(path) else { return nil }
        self.root = root
    }

    /// Returns the file or folder that a relative name refers to; `.none` if it would be outside the folder.
    func entry(_ name: String) -> Entry {
        guard let parts = PathText.segmentsBelow(name), !parts.contains(".") else { return .none }
        let path = ([root == "/" ? "" : root] + parts.filter { !$0.isEmpty }).joined(separator: "/")
        // Links are resolved first: a file that a link leads to outside the folder counts as missing.
        guard let real = Self.realPath(path.isEmpty ? "/" : path) else { return .none }
        let isInside = real == root || real.utf8.starts(with: (root == "/" ? "/" : root + "/").utf8)
        guard isInside else { return .none }
        var status = stat()
        guard lstat(real, &status) == 0 else { return .none }
        if status.st_mode & S_IFMT == S_IFDIR { return .folder }
        guard status.st_mode & S_IFMT == S_IFREG else { return .none }
        return ServedFile(path: real).map { .file($0) } ?? .unreadable(String(cString: strerror(errno)))
    }

    /// Returns the state of a file that `entry` has found before; `nil` if it no longer exists.
    func stamp(_ name: String) -> FileVersion? {
        FileVersion(path: (root == "/" ? "/" : root + "/") + name)
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
