import TextCodings

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder to which serving files is restricted.
struct ServedFolder: Sendable {
    enum Entry {
        case file(ServedFile)
        case folder
        case none
    }
    /// The folder without links.
    private let root: String

    /// `nil` where there is no such folder.
    init?(path: String) {
        guard let root = Self.realPath(path) else { return nil }
        self.root = root
    }

    /// Returns what a relative name stands for; nothing where it would lead out of the folder.
    func entry(_ name: String) -> Entry {
        guard let parts = PathText.segmentsBelow(name), !parts.contains(".") else { return .none }
        let path = ([root == "/" ? "" : root] + parts.filter { !$0.isEmpty }).joined(separator: "/")
        // Links are followed to their end first: one that leads out is as no file.
        guard let real = Self.realPath(path.isEmpty ? "/" : path) else { return .none }
        let isInside = real == root || real.utf8.starts(with: (root == "/" ? "/" : root + "/").utf8)
        guard isInside else { return .none }
        var status = stat()
        guard lstat(real, &status) == 0 else { return .none }
        if status.st_mode & S_IFMT == S_IFDIR { return .folder }
        return ServedFile(path: real).map { .file($0) } ?? .none
    }

    /// Returns the state of what a name stands for that `entry` has found before; `nil` where there is nothing.
    func stamp(_ name: String) -> FileVersion? {
        var status = stat()
        return stat((root == "/" ? "/" : root + "/") + name, &status) == 0 ? FileVersion(status) : nil
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
