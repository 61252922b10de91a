import Glibc

/// A folder that goes with the object, in memory where the system has such a place.
final class Scratch {
    let path: String

    init() throws(Failure) {
        let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array((parent + "/cachecheck-torture.XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(text: "cannot make a folder in \(parent)") }
        path = String(cString: made)
    }

    deinit { Self.remove(path) }

    /// The names in a folder below.
    static func names(in path: String) -> [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }
}
