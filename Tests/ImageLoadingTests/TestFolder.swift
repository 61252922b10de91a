#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of one test, gone afterwards.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/cachecheck-images.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(path: "/tmp") }
        path = String(cString: made)
    }

    deinit { Self.remove(path) }

    struct Failure: Error {
        var path: String
    }

    func write(_ name: String, _ bytes: [UInt8], at seconds: Double? = nil) throws {
        let place = path + "/" + name
        guard let file = fopen(place, "w") else { throw Failure(path: place) }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        guard let seconds else { return }
        var times = [timespec(tv_sec: Int(seconds), tv_nsec: 0), timespec(tv_sec: Int(seconds), tv_nsec: 0)]
        utimensat(AT_FDCWD, place, &times, 0)
    }

    func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o700) }

    func read(_ name: String) -> [UInt8]? {
        guard let file = fopen(path + "/" + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 22)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    /// Names in the folder, hidden ones too, sorted.
    var names: [String] { Self.names(in: path) }

    func removeAll() { for name in names { Self.remove(path + "/" + name) } }

    private static func names(in path: String) -> [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func remove(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unlink(path)
            return
        }
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }
}
