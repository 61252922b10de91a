import CLibrary

/// A source from which libcurl reads the content of one request; used on the loop's thread.
protocol UploadSource: AnyObject {
    /// The total number of bytes; `nil` if it is unknown.
    var length: Int? { get }
    /// Copies the next bytes; zero bytes mean the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadPiece
    /// Goes back to an offset; false if that is impossible.
    func rewind(to offset: Int) -> Bool
}

/// The result of a read.
enum UploadPiece {
    /// The number of bytes; zero at the end.
    case bytes(Int)
    /// Nothing yet: the source resumes the exchange when it has more.
    case later
    /// Nothing more, because of an error.
    case failed(TransportError)
}

/// Content from memory.
final class BytesSource: UploadSource {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var length: Int? { bytes.count }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadPiece {
        let count = min(buffer.count, bytes.count - offset)
        buffer.copyBytes(from: bytes[offset..<offset + count])
        offset += count
        return .bytes(count)
    }

    func rewind(to offset: Int) -> Bool {
        guard (0...bytes.count).contains(offset) else { return false }
        self.offset = offset
        return true
    }
}

/// Content from a file, which is closed with the source.
final class FileSource: UploadSource {
    private let descriptor: Int32
    private var offset = 0
    let length: Int?

    init(path: String) throws(TransportError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TransportError(.noSuchFile, "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        length = isFile ? Int(status.st_size) : nil
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadPiece {
        let count =
            length == nil
            ? readSome(descriptor, buffer.baseAddress, buffer.count)
            : pread(descriptor, buffer.baseAddress, buffer.count, offset)
        guard count >= 0 else {
            return .failed(
                TransportError(
                    .noSuchFile,
                    "The file to send could not be read to the end: \(String(cString: strerror(errno)))."
                )
            )
        }
        offset += count
        return .bytes(count)
    }

    func rewind(to offset: Int) -> Bool {
        guard length != nil else { return offset == self.offset }
        self.offset = offset
        return true
    }
}

/// Calls `read` of the C library, whose name a method hides.
private func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
