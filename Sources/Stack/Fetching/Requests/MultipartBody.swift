public import CacheClient
public import CacheSemantics
import CLibrary

/// A `multipart/form-data` body (RFC 7578): fields and files; files are read while they are sent.
public struct MultipartBody: Sendable {
    /// The source of a part's content.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Source: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(path: String)
    }
    /// One part.
    public struct Part: Sendable {
        /// The field's name.
        public var name: String
        /// The file name that is sent; `nil` for a plain field.
        public var fileName: String?
        /// The media type; `nil` for a plain field, which is text.
        public var contentType: String?
        /// The source of the content.
        public var source: Source

        /// Creates a part.
        public init(name: String, fileName: String? = nil, contentType: String? = nil, source: Source) {
            self.name = name
            self.fileName = fileName
            self.contentType = contentType
            self.source = source
        }
    }

    /// The boundary between parts, 1 to 70 characters that occur in no part.
    public let boundary: String
    /// The parts in the order they are sent.
    public var parts: [Part] = []
    /// Called with the number of bytes passed to the connection; default none.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?

    /// Creates an empty body; the default boundary is random.
    public init(boundary: String = MultipartBody.randomBoundary()) { self.boundary = boundary }

    /// Returns a random boundary of 128 bits, which is unlikely to occur in a part.
    public static func randomBoundary() -> String {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in String(random.next(), radix: 16) }
        return "cachecheck-" + digits.joined(separator: "-")
    }

    /// Adds a field.
    public mutating func append(name: String, value: String) {
        parts.append(Part(name: name, source: .bytes(Array(value.utf8))))
    }

    /// Adds content as a file.
    public mutating func append(name: String, fileName: String, contentType: String, bytes: [UInt8]) {
        parts.append(Part(name: name, fileName: fileName, contentType: contentType, source: .bytes(bytes)))
    }

    /// Adds a file, which is read while it is sent; `fileName` defaults to the last component of its path.
    public mutating func append(
        name: String,
        fileName: String? = nil,
        contentType: String = "application/octet-stream",
        path: String
    ) {
        let last = path.split(separator: "/").last.map(String.init)
        parts.append(
            Part(
                name: name,
                fileName: fileName ?? last ?? "file",
                contentType: contentType,
                source: .file(path: path)
            )
        )
    }

    /// The value of Content-Type.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Returns the length in bytes; throws if a file cannot be read.
    public func length() throws(FetchError) -> ByteCount {
        var length = closing.count
        for part in parts {
            length += head(of: part).count + 2
            length += try Self.length(of: part.source)
        }
        return .bytes(length)
    }

    /// Returns the body for the client: bytes if all parts are in memory, otherwise a new stream of known
    /// length.
    public func requestBody() throws(FetchError) -> RequestBody {
        let length = try length()
        guard hasFiles || onProgress != nil else { return .bytes(bytesInMemory()) }
        let stream = MultipartStream(self, length: length)
        return .stream(UploadStream(length: length, pieces: AsyncThrowingStream { try stream.next() }))
    }

    private var hasFiles: Bool {
        parts.contains { if case .file = $0.source { true } else { false } }
    }

    private func bytesInMemory() -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += head(of: part)
            if case .bytes(let content) = part.source { bytes += content }
            bytes += Self.lineEnd
        }
        return bytes + closing
    }

    static let lineEnd: [UInt8] = [13, 10]

    var closing: [UInt8] { Array("--\(boundary)--\r\n".utf8) }

    func head(of part: Part) -> [UInt8] {
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
        if let fileName = part.fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
        head += "\r\n"
        if let contentType = part.contentType {
            head += "Content-Type: \(contentType.filter { !$0.isNewline })\r\n"
        }
        return Array((head + "\r\n").utf8)
    }

    /// Escapes characters that would end the field or the line (RFC 7578 §4.2, and the practice of browsers).
    private static func quoted(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func length(of source: Source) throws(FetchError) -> Int {
        switch source {
        case .bytes(let bytes): return bytes.count
        case .file(let path):
            var status = stat()
            guard stat(path, &status) == 0 else { throw FetchError(reading: path, errno) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw FetchError(
                    .badRequest,
                    "\(path) is not a regular file, so it cannot be part of a body."
                )
            }
            return Int(status.st_size)
        }
    }
}
