import CLibrary
import FileReading

/// A folder that is created for one scenario and removed with it.
package final class ScratchFolder: Sendable {
    package let path: String

    /// Creates a folder, in memory if the machine supports that.
    ///
    /// Programs may not be run from a folder in memory; `holdsPrograms` selects a folder from which they may.
    package init(holdsPrograms: Bool = false) throws(HarnessProblem) {
        var failure = ""
        for parent in Self.parents.dropFirst(holdsPrograms ? 1 : 0) {
            var template = Array((parent + "/cachecheck-XXXXXX").utf8CString)
            if mkdtemp(&template) != nil {
                path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
                return
            }
            failure = "\(parent): \(String(cString: strerror(errno)))"
        }
        throw HarnessProblem("no temporary folder can be created: \(failure)")
    }

    deinit {
        // Files that cannot be removed are left to the system's own cleaning.
        Self.remove(path)
    }

    /// The paths of all files in the folder and its subfolders.
    var files: [String] { Self.files(in: path) }

    /// Whether the bytes of a text occur in one of the files.
    func holds(_ text: String) -> Bool {
        let part = Array(text.utf8)
        return files.contains { path in
            guard case .success(let bytes) = FileAccess.content(ofFile: path) else { return false }
            return Self.occurs(part, in: bytes[...])
        }
    }

    private static func occurs(_ part: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = part.first else { return true }
        var rest = bytes
        while let index = rest.firstIndex(of: first) {
            if rest[index...].starts(with: part) { return true }
            rest = rest[(index + 1)...]
        }
        return false
    }

    private static func files(in folder: String) -> [String] {
        paths(in: folder).flatMap { isFolder($0) ? files(in: $0) : [$0] }
    }

    /// Removes a folder with everything in it, as far as that is possible.
    static func remove(_ folder: String) {
        for path in paths(in: folder) {
            if isFolder(path) { remove(path) } else { unlink(path) }
        }
        rmdir(folder)
    }

    private static func paths(in folder: String) -> [String] {
        (FileAccess.names(inFolder: folder) ?? []).map { folder + "/" + $0 }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static var parents: [String] {
        ["/dev/shm", getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"]
    }
}
