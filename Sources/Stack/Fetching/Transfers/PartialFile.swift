import CacheSemantics
import CLibrary
import Locks

/// The file to which an incomplete download is written, with a record next to it.
///
/// Used by one task at a time.
final class PartialFile: Sendable {
    private struct State {
        var record: PartialRecord
        var hash = PartialHash()
        var recorded = 0
        var descriptor: Int32 = -1
    }
    /// The number of bytes after which the record is rewritten.
    static let recordInterval = 4 << 20
    let path: String
    private let folder: FileFolder
    private let name: String
    private let state: Lock<State>

    /// Creates a value for a URL's part in a folder; does not access the file system.
    init(of url: String, in folder: FileFolder) {
        self.folder = folder
        name = MessageDigest.sha1(url)
        path = folder.path + "/" + name + ".part"
        state = Lock(State(record: PartialRecord(url: url)))
    }

    deinit { close() }

    var url: String { state.withLock { $0.record.url } }
    var received: Int { state.withLock { $0.record.received } }
    var total: Int? { state.withLock { $0.record.total } }
    var validator: String? { state.withLock { $0.record.validator } }

    /// Opens the file; with `keeps`, content that matches the record is kept.
    func open(keeps: Bool) throws(FetchError) {
        close()
        try folder.create()
        let descriptor = CLibrary.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FetchError(writing: path, errno) }
        state.withLock { $0.descriptor = descriptor }
        guard keeps, let kept = try readRecord(), let hash = hash(of: descriptor, count: kept.received),
            hash.text == kept.hash
        else { return try restart(validator: nil, total: nil) }
        state.withLock { ($0.record, $0.hash, $0.recorded) = (kept, hash, kept.received) }
        guard ftruncate(descriptor, off_t(kept.received)) == 0 else { throw FetchError(writing: path, errno) }
    }

    /// Empties the file for a representation with this validator and length.
    func restart(validator: String?, total: Int?) throws(FetchError) {
        let descriptor = state.withLock { state in
            state.record.received = 0
            state.record.validator = validator
            state.record.total = total
            state.hash = PartialHash()
            state.recorded = 0
            return state.descriptor
        }
        guard ftruncate(descriptor, 0) == 0 else { throw FetchError(writing: path, errno) }
    }

    /// Sets the complete length when it becomes known.
    func setTotal(_ total: Int?) {
        state.withLock { state in if let total { state.record.total = total } }
    }

    /// Appends bytes; if the disk is full, those that fit are kept.
    func append(_ bytes: [UInt8]) throws(FetchError) {
        let (descriptor, start) = state.withLock { ($0.descriptor, $0.record.received) }
        let (count, code) = bytes.withUnsafeBytes { Self.write($0, descriptor, at: start) }
        let isDue = state.withLock { state in
            bytes[..<count].withUnsafeBytes { state.hash.add($0) }
            state.record.received += count
            return state.record.received - state.recorded >= Self.recordInterval
        }
        guard code == 0 else { throw FetchError(writing: path, code) }
        if isDue { try record() }
    }

    /// Writes the record next to the part.
    func record() throws(FetchError) {
        let record = state.withLock { state in
            state.record.hash = state.hash.text
            state.recorded = state.record.received
            return state.record
        }
        try folder.write(Array(record.text.utf8), to: name + ".txt")
    }

    /// Writes the record next to the part; if the disk is full, first frees space by truncating the part.
    func recordFreeingSpace() throws(FetchError) {
        do throws(FetchError) {
            try record()
        } catch {
            guard truncate(by: Self.roomForRecord) else { throw error }
            try record()
        }
    }

    private static let roomForRecord = 16 << 10

    /// Truncates the part; returns `false` if it has no more than `count` bytes.
    private func truncate(by count: Int) -> Bool {
        let (descriptor, rest) = state.withLock { ($0.descriptor, $0.record.received - count) }
        guard rest > 0, let hash = hash(of: descriptor, count: rest), ftruncate(descriptor, off_t(rest)) == 0
        else { return false }
        state.withLock { state in
            state.record.received = rest
            state.hash = hash
        }
        return true
    }

    /// Removes the file and its record.
    func remove() {
        close()
        unlink(path)
        _ = try? folder.remove(name + ".txt")
    }

    func close() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if descriptor >= 0 { _ = CLibrary.close(descriptor) }
    }

    /// Moves the complete file to its destination, atomically.
    func move(to destination: String) throws(FetchError) {
        let descriptor = state.withLock { $0.descriptor }
        guard fsync(descriptor) == 0 else { throw FetchError(writing: path, errno) }
        if rename(path, destination) != 0 {
            guard errno == EXDEV else { throw FetchError(writing: destination, errno) }
            try copy(to: destination)
        }
        remove()
    }

    /// Returns the parts in a folder.
    static func all(in folder: FileFolder) throws(FetchError) -> [PartialDownload] {
        var parts: [PartialDownload] = []
        for name in try folder.names() where name.hasSuffix(".txt") {
            guard let bytes = try folder.read(name),
                let record = PartialRecord(text: String(decoding: bytes, as: UTF8.self))
            else { continue }
            parts.append(PartialDownload(record, path: folder.path + "/" + name.dropLast(4) + ".part"))
        }
        return parts
    }

    private func readRecord() throws(FetchError) -> PartialRecord? {
        guard let bytes = try folder.read(name + ".txt"),
            let record = PartialRecord(text: String(decoding: bytes, as: UTF8.self)),
            record.url == state.withLock({ $0.record.url })
        else { return nil }
        return record
    }

    /// Returns the hash of the first bytes; `nil` if there are fewer.
    private func hash(of descriptor: Int32, count: Int) -> PartialHash? {
        var hash = PartialHash()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var done = 0
        while done < count {
            let got = pread(descriptor, &buffer, min(buffer.count, count - done), off_t(done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            buffer.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
            done += got
        }
        return hash
    }

    /// Copies to another file system: to a temporary file next to the destination, which is then renamed.
    private func copy(to destination: String) throws(FetchError) {
        let draft = destination + ".\(UInt64.random(in: 0 ... .max)).part"
        let target = CLibrary.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw FetchError(writing: draft, errno) }
        let source = state.withLock { $0.descriptor }
        var code = Self.copy(source, target, count: received)
        if code == 0, fsync(target) != 0 { code = errno }
        _ = CLibrary.close(target)
        if code == 0, rename(draft, destination) != 0 { code = errno }
        guard code == 0 else {
            unlink(draft)
            throw FetchError(writing: destination, code)
        }
    }

    private static func copy(_ source: Int32, _ target: Int32, count: Int) -> Int32 {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var done = 0
        while done < count {
            let got = pread(source, &buffer, min(buffer.count, count - done), off_t(done))
            guard got > 0 else { return got < 0 ? errno : EIO }
            let (_, code) = buffer.withUnsafeBytes {
                write(UnsafeRawBufferPointer(rebasing: $0[..<got]), target, at: done)
            }
            if code != 0 { return code }
            done += got
        }
        return 0
    }

    /// Returns the number of bytes written, and the error number; 0 if all were written.
    private static func write(
        _ bytes: UnsafeRawBufferPointer,
        _ descriptor: Int32,
        at start: Int
    ) -> (count: Int, code: Int32) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return (done, written < 0 ? errno : ENOSPC) }
            done += written
        }
        return (done, 0)
    }
}

extension PartialDownload {
    fileprivate init(_ record: PartialRecord, path: String) {
        self.init(
            url: record.url,
            path: path,
            received: .bytes(record.received),
            total: record.total.map { .bytes($0) }
        )
    }
}
