import CLibrary

/// The files of a store's folder.
struct StoragePaths: Sendable {
    let directory: String

    var database: String { directory + "/entries.sqlite" }
    var generation: String { directory + "/generation" }
    var bodies: String { directory + "/bodies" }

    /// Returns the path of the body file with this number.
    func body(_ number: UInt64) -> String {
        bodies + "/" + String(number, radix: 16) + ".body"
    }

    /// Returns the path of a file that is being written.
    func part(_ number: UInt64) -> String {
        bodies + "/" + String(number, radix: 16) + ".part"
    }

    /// The number that distinguishes the database file from another of the same name; zero if there is none.
    var databaseInode: UInt64 {
        var status = stat()
        return stat(database, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    /// Whether the index of SQLite's log consists of one or more whole blocks.
    var isIndexWhole: Bool {
        var status = stat()
        guard stat(database + "-shm", &status) == 0 else { return false }
        return status.st_size > 0 && status.st_size % (32 << 10) == 0
    }

    /// The number of bytes that can be written to the file system; the largest number if the system does not report it.
    var freeBytes: Int {
        var facts = statvfs()
        guard statvfs(directory, &facts) == 0 else { return .max }
        return Int(
            clamping: UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
                .partialValue
        )
    }

    /// Whether there is so little space left that writing what waits may fail.
    var isShortOfSpace: Bool { freeBytes < Self.reserveBytes }

    /// Several times as much as waits to be written, because the log grows before the database does.
    private static let reserveBytes = 4 * StoreState.largestBacklogCost

    /// Removes the database, if it exists.
    func removeDatabase() throws(StorageError) {
        for suffix in ["", "-wal", "-shm"] {
            guard unlink(database + suffix) != 0, errno != ENOENT else { continue }
            throw .system("remove", database + suffix)
        }
    }

    /// Removes a body file, if it exists.
    func removeBody(_ number: UInt64) {
        unlink(body(number))
    }

    /// Creates the missing folders.
    func create() throws(StorageError) {
        var prefix = directory.hasPrefix("/") ? "" : "."
        for part in (directory + "/bodies").split(separator: "/") {
            prefix += "/" + part
            guard mkdir(prefix, 0o700) != 0, errno != EEXIST else { continue }
            // A parent folder may exist although we may not create it.
            var status = stat()
            let code = errno
            guard stat(prefix, &status) == 0 else { throw .system("create", prefix, code: code) }
        }
    }

    /// Returns the file names in the folder of bodies.
    func bodyNames() -> [String] {
        guard let folder = opendir(bodies) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = entry.name
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes partially written files, and bodies that are not in `known`; files that a process is writing stay, and those
    /// of other programs.
    func removeLeftovers(known: () throws -> Set<UInt64>) rethrows {
        let before = try known()
        for names in bodyNames().filter({ isOwn($0) && !isKnown($0, before) }).chunks(of: Self.maximumLocked)
        {
            let locked = names.compactMap { name in LockedFile(bodies + "/" + name).map { (name, $0) } }
            guard !locked.isEmpty else { continue }
            // A file may have got its row before it was locked here.
            let after = try known()
            for (name, file) in locked where !isKnown(name, after) { file.remove() }
        }
    }

    /// The number of leftovers that are open at a time.
    private static let maximumLocked = 64

    private func isKnown(_ name: String, _ known: Set<UInt64>) -> Bool {
        guard name.hasSuffix(".body"), let number = UInt64(name.dropLast(5), radix: 16) else { return false }
        return known.contains(number)
    }
}

/// A file that no process is writing, locked during the lifetime of this object.
private final class LockedFile {
    private let path: String
    private let descriptor: Int32

    /// Opens and locks a file; `nil` if it is gone or being written.
    init?(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0, FileLock.takeIfFree(descriptor) else { return nil }
    }

    // The system ignores the number of a file that could not be opened.
    deinit { close(descriptor) }

    func remove() { unlink(path) }
}

extension Array {
    fileprivate func chunks(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

extension CacheStore {
    /// Whether a folder has the database of a store, in any version and condition.
    package static func exists(in directory: String) -> Bool {
        access(StoragePaths(directory: directory).database, F_OK) == 0
    }
}
