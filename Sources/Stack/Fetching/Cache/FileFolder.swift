import CLibrary
import FileReading

/// A folder whose files are written atomically; it is created at the first write.
public struct FileFolder: Sendable, Hashable {
    /// The path of the folder.
    public let path: String

    /// Creates a value; does not access the file system.
    public init(_ path: String) {
        let trimmed = path.reversed().drop { $0 == "/" }.reversed()
        self.path = trimmed.isEmpty && path.hasPrefix("/") ? "/" : String(trimmed)
    }

    /// Returns the path of a file in the folder.
    ///
    /// Throws for a name that is not that of a file in the folder: one with a slash or NUL, `.`, `..`, an
    /// empty one, or one of more than 240 bytes.
    public func path(of name: String) throws(FetchError) -> String {
        let isName =
            !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 240
            && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        guard isName else { throw FetchError(.storage, "\"\(name)\" is not a valid file name.") }
        return path + "/" + name
    }

    /// Returns the content of a file; `nil` if it does not exist.
    public func read(_ name: String) throws(FetchError) -> [UInt8]? {
        try OpenFile(ifExists: try path(of: name))?.readAll()
    }

    /// Writes a temporary file and renames it, so that readers never see a part of it; replaces an existing
    /// file.
    public func write(_ bytes: [UInt8], to name: String) throws(FetchError) {
        let path = try path(of: name)
        try create()
        let draft = "\(self.path)/.\(getpid())-\(UInt64.random(in: 0 ... .max)).part"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FetchError(writing: draft, errno) }
        let failure = FileAccess.put(bytes[...], descriptor) ? 0 : errno
        let closing = close(descriptor) == 0 ? 0 : errno
        guard failure == 0, closing == 0, rename(draft, path) == 0 else {
            let code = failure != 0 ? failure : closing != 0 ? closing : errno
            unlink(draft)
            throw FetchError(writing: path, code)
        }
    }

    /// Removes a file; returns `false` if it does not exist.
    @discardableResult
    public func remove(_ name: String) throws(FetchError) -> Bool {
        let path = try path(of: name)
        if unlink(path) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw FetchError(writing: path, errno)
    }

    /// Returns the names of the files, sorted; empty if the folder does not exist.
    ///
    /// Names that begin with a dot, and folders, are excluded.
    public func names() throws(FetchError) -> [String] {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return [] }
            throw FetchError(reading: path, errno)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = entry.name
            if !name.hasPrefix("."), size(of: name) != nil { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the size of a file in bytes; `nil` if it does not exist.
    public func size(of name: String) -> Int? {
        var status = stat()
        guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Creates the folder and its parents, unless they exist.
    func create() throws(FetchError) {
        if let folder = FileAccess.makeFolders(path, mode: 0o700) { throw FetchError(writing: folder, errno) }
    }
}
