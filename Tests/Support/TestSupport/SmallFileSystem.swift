#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file system with little room, where the process may mount one.
package struct SmallFileSystem {
    package let path: String
    private var filler: String { path + "/filler" }

    /// Whether this process may mount one.
    package static var isAvailable: Bool {
        guard geteuid() == 0, let folder = try? TestFolder(),
            let disk = SmallFileSystem(folder.path, kibibytes: 64)
        else { return false }
        disk.remove()
        return true
    }

    /// Mounts one on a folder, which is made where there is none; `nil` where that is refused.
    package init?(_ path: String, kibibytes: Int) {
        self.path = path
        mkdir(path, 0o700)
        guard mount("none", path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else { return nil }
    }

    /// Takes all the room there is; false where something else than a full disk ends that.
    package func fill() -> Bool {
        let descriptor = open(filler, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 1, count: 4096)
        while write(descriptor, page, page.count) > 0 {}
        return errno == ENOSPC
    }

    /// Gives it this much room instead.
    package func grow(kibibytes: Int) throws {
        guard mount("none", path, "tmpfs", UInt(MS_REMOUNT), "size=\(kibibytes)k") == 0 else {
            throw TestFolder.Failure(path: path)
        }
    }

    /// Gives back what `fill()` has taken.
    package func makeRoom() { unlink(filler) }

    /// Makes it impossible to remove a file, until `release`.
    package func hold(_ name: String) -> Bool {
        let file = path + "/" + name
        return mount(file, file, nil, UInt(MS_BIND), nil) == 0
    }

    /// Makes it possible again to remove a file.
    package func release(_ name: String) { umount2(path + "/" + name, Int32(MNT_DETACH)) }

    /// Unmounts it, whoever still has files of it open.
    package func remove() { umount2(path, Int32(MNT_DETACH)) }
}
