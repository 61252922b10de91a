import CLibrary

extension FileAccess {
    /// Writes a file as a whole: until everything is written, and if it cannot be, the file that was there stays.
    ///
    /// Anything but a regular file, such as a pipe, is written to directly; a link stays a link.
    package static func replace(_ path: String, with bytes: [UInt8]) -> Result<Void, Failure> {
        let replacement = FileReplacement(path)
        do throws(Failure) {
            try replacement.append(bytes[...])
            try replacement.finish()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Returns the reason why `replace` could not write a file now; `nil` if it could.
    package static func obstacle(toReplacing path: String) -> Failure? {
        let replacement = FileReplacement(path)
        if replacement.isDirect { return kind(of: path) == S_IFDIR ? Failure(reason: "it is a folder") : nil }
        do throws(Failure) {
            try replacement.append([])
            return nil
        } catch {
            return error
        }
    }

    /// Writes bytes to an open file.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) throws(Failure) {
        guard put(bytes, descriptor) else { throw .ofSystem }
    }

    /// Writes bytes to an open file; returns `false`, with `errno` set, if that fails.
    package static func put(_ bytes: ArraySlice<UInt8>, _ descriptor: CInt) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { CLibrary.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Creates a folder and those that contain it, unless they exist.
    ///
    /// Returns the one that cannot be created, with `errno` set, and `nil` if there is none.
    @discardableResult
    package static func makeFolders(_ path: String, mode: UInt32 = 0o777) -> String? {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part
            if mkdir(made, mode) != 0, errno != EEXIST { return made }
            made += "/"
        }
        return nil
    }

    /// Returns the folder that a path is in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the kind of the file at a path, behind links, such as `S_IFREG`; `nil` if there is nothing.
    fileprivate static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}

/// A new file in the place of another, which stays until the new one is complete; used by one thread at a time.
///
/// What is no plain file, such as a pipe, is written to directly, and so is what `/dev` and `/proc` name, which another
/// process may have open. A link stays a link. Nothing is created before the first bytes.
package final class FileReplacement {
    /// Whether there is no other file to preserve.
    fileprivate let isDirect: Bool
    private let target: String
    private var descriptor: CInt = -1
    /// Whether the new file must be removed unless it is finished.
    private var isUnfinished = false

    /// Prepares to replace the file at a path, which need not exist.
    package init(_ path: String) {
        let kind = FileAccess.kind(of: path)
        isDirect =
            path.hasPrefix("/dev/") || path.hasPrefix("/proc/") || kind.map { $0 != S_IFREG } ?? false
        target = isDirect ? path : FileAccess.realPath(path) ?? path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if isUnfinished { unlink(aside) }
    }

    private var aside: String { "\(target).\(getpid()).new" }

    /// Writes the next bytes.
    package func append(_ bytes: ArraySlice<UInt8>) throws(FileAccess.Failure) {
        try open()
        try FileAccess.write(bytes, to: descriptor)
    }

    /// Puts the new file in the place of the old one, whose permissions it gets; without bytes, it is empty.
    package func finish() throws(FileAccess.Failure) {
        try open()
        let isClosed = close(descriptor) == 0
        descriptor = -1
        guard isClosed else { throw .ofSystem }
        if isDirect { return }
        var status = stat()
        if stat(target, &status) == 0 { chmod(aside, status.st_mode & 0o7777) }
        guard rename(aside, target) == 0 else { throw .ofSystem }
        isUnfinished = false
    }

    private func open() throws(FileAccess.Failure) {
        guard descriptor < 0 else { return }
        descriptor = CLibrary.open(
            isDirect ? target : aside,
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
            0o666
        )
        guard descriptor >= 0 else { throw .ofSystem }
        isUnfinished = !isDirect
    }
}
