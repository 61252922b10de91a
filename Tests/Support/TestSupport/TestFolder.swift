import CLibrary

/// A folder of one test, removed with the object.
package final class TestFolder: Sendable {
    package let path: String

    package struct Failure: Error {
        package var path: String
    }

    /// Creates a folder with these files.
    ///
    /// With `inMemory` it needs no device, if the system supports that.
    package init(_ files: [String: String] = [:], inMemory: Bool = false) throws {
        let isInMemory = inMemory && access("/dev/shm", W_OK) == 0
        let parent = isInMemory ? "/dev/shm" : getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/cachecheck-test.XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(path: parent) }
        path = String(cString: made)
        for (name, text) in files { try write(name, text) }
    }

    deinit { Self.remove(path) }

    // MARK: Writing

    /// Writes a file and the folders above it, and returns its path; a file that is there is replaced in one step.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    /// Writes a file; with `seconds`, its times of access and modification are set to this number of seconds after
    /// 1970-01-01T00:00:00Z.
    @discardableResult
    package func write(_ name: String, _ bytes: [UInt8], at seconds: Double? = nil) throws -> String {
        let place = path + "/" + name
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o700)
        }
        guard let file = fopen(place + ".new", "w") else { throw Failure(path: place) }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count, rename(place + ".new", place) == 0 else {
            throw Failure(path: place)
        }
        guard let seconds else { return place }
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        utimensat(AT_FDCWD, place, [time, time], 0)
        return place
    }

    package func link(_ name: String, to target: String) throws {
        guard symlink(target, path + "/" + name) == 0 else { throw Failure(path: name) }
    }

    package func makeFolder(_ name: String) { mkdir(path + "/" + name, 0o700) }

    // MARK: Reading

    /// Returns the bytes of a file; `nil` if it does not exist.
    package func read(_ name: String) -> [UInt8]? {
        guard let file = fopen(path + "/" + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
        return bytes
    }

    package func text(_ name: String) -> String? { read(name).map { String(decoding: $0, as: UTF8.self) } }

    /// Names in the folder, including hidden ones, sorted.
    package var names: [String] { Self.names(in: path) }

    /// Returns names in a subfolder, including hidden ones, sorted.
    package func names(in folder: String) -> [String] { Self.names(in: path + "/" + folder) }

    /// Every file below the folder, as a path below it, sorted.
    package var files: [String] { files(below: "").sorted() }

    private func files(below folder: String) -> [String] {
        names(in: folder).flatMap { [folder + $0] + files(below: folder + $0 + "/") }
    }

    /// Returns the names in any folder; empty if it does not exist.
    package static func names(in path: String) -> [String] {
        guard let handle = opendir(path) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = entry.name
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    // MARK: Removing

    /// Empties the folder.
    package func removeAll() { for name in names { Self.remove(path + "/" + name) } }

    /// Removes a file, or a folder with its contents.
    package static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }
}
