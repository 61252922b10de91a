import CLibrary
import FileWatching
import Locks

/// An open file of the fixture folder; closed when its last reader is released.
final class ServedFile: Sendable {
    let stamp: FileVersion
    private let descriptor: CInt

    /// Opens a regular file; `nil` for anything else, with the reason in `errno` if it cannot be opened.
    init?(path: String) {
        // Opening a pipe would block.
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
        guard opened >= 0 else { return nil }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            return nil
        }
        descriptor = opened
        stamp = FileVersion(status)
    }

    deinit { close(descriptor) }

    /// Returns all bytes of a range; `nil` if the file has become shorter or cannot be read.
    func bytes(_ range: Range<Int>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < range.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: done),
                    range.count - done,
                    off_t(range.lowerBound + done)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }
}
