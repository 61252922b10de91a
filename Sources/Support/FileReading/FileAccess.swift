import CLibrary

/// Reads files and folders, and replaces files.
package enum FileAccess {
    /// Returns the absolute path without links; `nil` if nothing exists there.
    package static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the names in a folder, sorted; `nil` if it is not a folder.
    package static func names(inFolder path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = entry.name
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The reason why a file cannot be read, or has no text.
    package struct Failure: Error, Sendable {
        /// The reason, as a clause: `it is a pipe`.
        package let reason: String

        /// Creates a failure.
        package init(reason: String) {
            self.reason = reason
        }

        /// The reason of the last system call.
        package static var ofSystem: Failure { Failure(reason: String(cString: strerror(errno))) }
    }

    /// Returns a file's text, or why it cannot be read; a pipe is refused.
    package static func text(ofFile path: String) -> Result<String, Failure> {
        reading(path, readsPipes: false) { (descriptor, _) in
            bytes(of: descriptor, atMost: maximumTextBytes).flatMap(text)
        }
    }

    /// Bytes of a text that the parsers accept: one read beyond is enough for them to refuse the file.
    private static let maximumTextBytes = 5 << 20

    private static func text(of bytes: [UInt8]) -> Result<String, Failure> {
        guard bytes.count <= maximumTextBytes else { return .success(String(decoding: bytes, as: UTF8.self)) }
        return decoded(bytes)
    }

    /// Returns a content as text, or why it is none.
    package static func decoded(_ content: [UInt8]) -> Result<String, Failure> {
        let text = String(validating: content, as: UTF8.self)
        return text.map { .success($0) } ?? .failure(Failure(reason: "it is not UTF-8"))
    }

    /// Bytes of a plain file that is read as a whole, at most.
    private static let maximumContentBytes = 1 << 30
    /// Bytes that are read at most of what has no size, such as a pipe or `/dev/zero`, and may have no end.
    package static let maximumStreamedBytes = 256 << 20

    /// Returns a file's content, or why it cannot be read.
    ///
    /// A plain file may have 1 GiB, anything else 256 MiB. Without `readsPipes` a pipe is refused, even one that nothing
    /// writes to.
    package static func content(ofFile path: String, readsPipes: Bool = true) -> Result<[UInt8], Failure> {
        reading(path, readsPipes: readsPipes) { (descriptor, status) in
            let limit = status.st_mode & S_IFMT == S_IFREG ? maximumContentBytes : maximumStreamedBytes
            let tooLarge = Failure(reason: "it has more than \(limit >> 20) MiB")
            guard status.st_size <= limit else { return .failure(tooLarge) }
            return bytes(of: descriptor, atMost: limit).flatMap {
                $0.count > limit ? .failure(tooLarge) : .success($0)
            }
        }
    }

    /// Opens a file for `body`; without `readsPipes` a pipe is refused, because it may never end, and what has been read of it
    /// cannot be read again.
    private static func reading<Content>(
        _ path: String,
        readsPipes: Bool,
        _ body: (CInt, stat) -> Result<Content, Failure>
    ) -> Result<Content, Failure> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (readsPipes ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { return .failure(.ofSystem) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(.ofSystem) }
        guard readsPipes || status.st_mode & S_IFMT != S_IFIFO else {
            return .failure(Failure(reason: "it is a pipe"))
        }
        return body(descriptor, status)
    }

    private static func bytes(of descriptor: CInt, atMost limit: Int) -> Result<[UInt8], Failure> {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { return .failure(.ofSystem) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return .success(bytes)
    }
}
