import CLibrary

// A cache deletes what it finds in its folder and does not know, so it must not be given another program's folder.
extension StoragePaths {
    /// Throws if the folder has files of another program under names that a store uses; nothing has been changed then.
    func checkOwnership() throws(StorageError) {
        for path in [generation, bodies] where isLink(path) {
            throw Self.unusable(path, "it is a symbolic link")
        }
        // Checked regardless of which file a store creates first, and of what it has removed since.
        guard size(of: database) == nil else { return }
        if let size = size(of: generation) {
            guard size != 0, size != GenerationFile.size else { return }
            throw Self.unusable(generation, "it is a file of another program")
        }
        guard let name = bodyNames().min() else { return }
        let reason = "it is not a cache, but bodies/\(name) exists; give the cache a folder of its own"
        throw Self.unusable(directory, reason)
    }

    private static func unusable(_ path: String, _ reason: String) -> StorageError {
        StorageError(operation: "use", path: path, reason: reason)
    }

    /// Whether a store has created a file of this name in the folder of bodies.
    func isOwn(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "body" || parts[1] == "part" else { return false }
        return UInt64(parts[0], radix: 16).map { String($0, radix: 16) == parts[0] } == true
    }

    private func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private func size(of path: String) -> Int? {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
