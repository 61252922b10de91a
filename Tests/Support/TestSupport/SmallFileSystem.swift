import CLibrary

/// A small file system, if the process may mount one.
package struct SmallFileSystem {
    package let path: String
    private var filler: String { path + "/filler" }

    /// Whether this process may mount a file system.
    package static var isAvailable: Bool {
        guard geteuid() == 0, let folder = try? TestFolder(),
            let disk = SmallFileSystem(folder.path, kibibytes: 64)
        else { return false }
        disk.remove()
        return true
    }

    /// Mounts a file system on a folder, which is created if necessary; `nil` if that is refused.
    package init?(_ path: String, kibibytes: Int) {
        self.path = path
        mkdir(path, 0o700)
        guard mount("none", path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { return nil }
    }

    /// Uses all free space; returns false if an error other than a full disk ends this.
    package func fill() -> Bool {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
        return errno == ENOSPC
    }

    /// Changes its size.
    package func grow(kibibytes: Int) throws {
        guard mount("none", path, "tmpfs", UInt(MS_REMOUNT), "size=\(kibibytes)k") == 0 else {
            throw TestFolder.Failure(path: path)
        }
    }

    /// Frees the space that `fill()` has used.
    package func makeRoom() { unlink(filler) }

    /// Prevents the removal of a file, until `release`.
    package func hold(_ name: String) -> Bool {
        let file = path + "/" + name
        return mount(file, file, nil, UInt(MS_BIND), nil) == 0
    }

    /// Permits the removal of a file again.
    package func release(_ name: String) { umount2(path + "/" + name, Int32(MNT_DETACH)) }

    /// Unmounts it, even if files on it are open.
    package func remove() { umount2(path, Int32(MNT_DETACH)) }
}
