import CacheSemantics
import CLibrary
import Cstatx
import FileReading

/// Reads, atomically writes and lists the files of one folder.
struct ImageFolder: Sendable {
    let path: String

    /// Returns the content and metadata of a file; `nil` if there is no such file.
    func read(_ name: String) throws(ImageError) -> (bytes: [UInt8], metadata: ImageFileMetadata?)? {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return nil }
            throw failure("open", name)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard let bytes = content(descriptor, count: Int(status.st_size)) else { throw failure("read", name) }
        return (bytes, ImageFileMetadata.read(descriptor) ?? metadata(beside: name))
    }

    /// Writes a file atomically, replacing the previous one; creates the folder if it is missing.
    func write(_ bytes: [UInt8], metadata: ImageFileMetadata, to name: String, at moment: Duration)
        throws(ImageError)
    {
        let part = ".part-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let descriptor = try create(part)
        var hasAttribute = false
        do throws(ImageError) {
            defer { close(descriptor) }
            guard FileAccess.put(bytes[...], descriptor) else { throw failure("write", name) }
            hasAttribute = metadata.write(descriptor)
            var times = [Self.time(moment), Self.time(moment)]
            futimens(descriptor, &times)
        } catch {
            unlink(path + "/" + part)
            throw error
        }
        if !hasAttribute { try writeMetadata(metadata, beside: name) }
        guard rename(path + "/" + part, path + "/" + name) == 0 else {
            let error = failure("rename", name)
            unlink(path + "/" + part)
            throw error
        }
        if hasAttribute { unlink(metadataPath(name)) }
    }

    /// Sets the time of the last read.
    func touch(_ name: String, at moment: Duration) {
        var times = [Self.time(moment), timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)]
        utimensat(AT_FDCWD, path + "/" + name, &times, AT_SYMLINK_NOFOLLOW)
    }

    /// Replaces the metadata of a file.
    func annotate(_ name: String, with metadata: ImageFileMetadata) throws(ImageError) {
        let descriptor = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if !metadata.write(descriptor) { try writeMetadata(metadata, beside: name) }
    }

    /// Removes a file; returns `false` if that fails, or there is none.
    func remove(_ name: String) -> Bool {
        unlink(metadataPath(name))
        return unlink(path + "/" + name) == 0
    }

    /// Returns the regular files that are not hidden, in no particular order.
    func files() -> [DiskImageCache.File] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        let descriptor = dirfd(folder)
        var files: [DiskImageCache.File] = []
        while let entry = readdir(folder) {
            let name = entry.name
            var status = stat()
            guard !name.hasPrefix("."), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            files.append(
                DiskImageCache.File(
                    name: name,
                    length: .bytes(Int(status.st_size)),
                    allocated: .bytes(Int(status.st_blocks) * 512),
                    writtenAt: Self.sinceEpoch(status.st_mtim),
                    readAt: Self.sinceEpoch(status.st_atim),
                    createdAt: Self.birth(name, in: descriptor),
                    owner: status.st_uid
                )
            )
        }
        return files
    }

    /// Removes the temporary files of processes that ended while writing.
    func removeParts() {
        guard let folder = opendir(path) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = entry.name
            if name.hasPrefix(".part-") { unlinkat(dirfd(folder), name, 0) }
        }
    }

    private func create(_ name: String) throws(ImageError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        var descriptor = open(path + "/" + name, flags, 0o600)
        if descriptor < 0, errno == ENOENT {
            FileAccess.makeFolders(path, mode: 0o700)
            descriptor = open(path + "/" + name, flags, 0o600)
        }
        guard descriptor >= 0 else { throw failure("create", name) }
        return descriptor
    }

    private func content(_ descriptor: Int32, count: Int) -> [UInt8]? {
        var isWhole = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, filled)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else {
                    isWhole = false
                    return
                }
                filled += got
            }
        }
        return isWhole ? bytes : nil
    }

    private func metadataPath(_ name: String) -> String { path + "/.metadata-" + name }

    private func metadata(beside name: String) -> ImageFileMetadata? {
        let descriptor = open(metadataPath(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return content(descriptor, count: ImageFileMetadata.byteCount).flatMap(ImageFileMetadata.init(bytes:))
    }

    private func writeMetadata(_ metadata: ImageFileMetadata, beside name: String) throws(ImageError) {
        let descriptor = open(
            metadataPath(name),
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
            0o600
        )
        guard descriptor >= 0 else { throw failure("create the metadata of", name) }
        defer { close(descriptor) }
        guard FileAccess.put(metadata.bytes[...], descriptor) else {
            throw failure("write the metadata of", name)
        }
    }

    private func failure(_ operation: String, _ name: String) -> ImageError {
        .storage("Cannot \(operation) \(path)/\(name): \(String(cString: strerror(errno))).")
    }

    private static func birth(_ name: String, in folder: Int32) -> Duration? {
        var (seconds, nanoseconds) = (Int64(0), UInt32(0))
        guard file_birth(folder, name, &seconds, &nanoseconds) == 0 else { return nil }
        return .seconds(seconds) + .nanoseconds(Int64(nanoseconds))
    }

    private static func time(_ sinceEpoch: Duration) -> timespec {
        let seconds = sinceEpoch.wholeSeconds
        return timespec(
            tv_sec: Int(seconds),
            tv_nsec: Int((sinceEpoch - .seconds(seconds)) / .nanoseconds(1))
        )
    }

    private static func sinceEpoch(_ time: timespec) -> Duration {
        .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
