import CLibrary
import FileReading

/// The files of an authority's folder; each is written to a temporary file and renamed.
enum FolderFile {
    /// Creates a folder and its parents.
    static func makeFolders(_ path: String) throws(CertificateError) {
        if let folder = FileAccess.makeFolders(path) { throw failure("folder \(folder) cannot be created") }
    }

    /// Locks the folder against other processes; closing the descriptor unlocks it.
    static func lock(_ path: String) throws(CertificateError) -> CInt {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("\(path) cannot be opened") }
        while flock(file, LOCK_EX) != 0 {
            if errno == EINTR { continue }
            let failure = failure("\(path) cannot be locked")
            close(file)
            throw failure
        }
        return file
    }

    /// Whether a file exists.
    static func exists(_ path: String) throws(CertificateError) -> Bool { access(path, R_OK) == 0 }

    /// Returns a file's text; `nil` if it does not exist.
    static func read(_ path: String) throws(CertificateError) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("\(path) cannot be read")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < 1 << 20 {
            let count = CLibrary.read(file, &buffer, buffer.count)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            if count < 0 { throw failure("\(path) cannot be read") }
            bytes += buffer[..<count]
        }
        throw CertificateError("\(path) is larger than a key or certificate")
    }

    static func write(_ text: String, to path: String, isSecret: Bool) throws(CertificateError) {
        try write(Array(text.utf8), to: path, isSecret: isSecret)
    }

    static func write(_ bytes: [UInt8], to path: String, isSecret: Bool) throws(CertificateError) {
        let aside = path + ".new"
        unlink(aside)
        let file = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isSecret ? 0o600 : 0o644)
        guard file >= 0 else { throw failure("\(aside) cannot be written") }
        let isWritten = FileAccess.put(bytes[...], file)
        guard close(file) == 0, isWritten, rename(aside, path) == 0 else {
            let failure = failure("\(path) cannot be written")
            unlink(aside)
            throw failure
        }
    }

    private static func failure(_ what: String) -> CertificateError {
        CertificateError("\(what): \(String(cString: strerror(errno)))")
    }
}
