#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder of its own for one test, removed with it.
final class FolderOfOneTest: Sendable {
    let path: String

    init() {
        path = "/tmp/cache-client-\(UInt64.random(in: .min ... .max))"
    }

    deinit { Self.remove(path) }

    /// Writes a file of the folder and returns its path.
    func write(_ text: String, to name: String) throws -> String {
        struct NotWritten: Error {}
        mkdir(path, 0o700)
        let file = path + "/" + name
        guard let stream = fopen(file, "w"), fputs(text, stream) >= 0, fclose(stream) == 0 else {
            throw NotWritten()
        }
        return file
    }

    private static func remove(_ path: String) {
        guard unlink(path) != 0, let folder = opendir(path) else { return }
        var names: [String] = []
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
            )
        }
        closedir(folder)
        for name in names where name != "." && name != ".." { remove(path + "/" + name) }
        rmdir(path)
    }
}
