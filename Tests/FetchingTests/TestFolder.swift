#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of one test, gone afterwards.
final class TestFolder: Sendable {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        var template = Array("/tmp/cachecheck-fetching.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(path: "/tmp") }
        path = String(cString: made)
        for (name, text) in files { try write(name, text) }
    }

    deinit { Self.remove(path) }

    struct Failure: Error {
        var path: String
    }

    /// Writes a file and the folders above it; one that is there is replaced in one step.
    func write(_ name: String, _ text: String) throws {
        try write(name, Array(text.utf8))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        let place = path + "/" + name
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        guard let file = fopen(place + ".new", "w") else { throw Failure(path: place) }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        guard rename(place + ".new", place) == 0 else { throw Failure(path: place) }
    }

    func link(_ name: String, to target: String) throws {
        guard symlink(target, path + "/" + name) == 0 else { throw Failure(path: name) }
    }

    /// Every name in it, hidden ones too, sorted.
    var allNames: [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR, let handle = opendir(path) else {
            unlink(path)
            return
        }
        var names: [String] = []
        while let entry = readdir(handle) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        closedir(handle)
        for name in names where name != "." && name != ".." { remove(path + "/" + name) }
        rmdir(path)
    }
}
