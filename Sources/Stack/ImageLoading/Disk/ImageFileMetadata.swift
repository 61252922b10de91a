import CacheSemantics
import Cxattr

/// The metadata of a stored image: a digest of its key, and its freshness.
///
/// The digest is stored because a file name of 128 bits can be forged. The key itself is not stored, because
/// it may contain secrets.
struct ImageFileMetadata: Sendable, Hashable {
    static let byteCount = 73
    private static let attribute = "user.cachecheck.image"

    /// The SHA-256 digest of the key, 64 hexadecimal digits.
    var keyDigest: String
    /// When the image becomes stale, since 1970-01-01T00:00:00Z; `nil` if freshness is ignored.
    var freshUntil: Duration?

    init(key: String, freshUntil: Duration?) {
        keyDigest = SHA256.text(key.utf8)
        self.freshUntil = freshUntil
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == 1 else { return nil }
        keyDigest = String(decoding: bytes[1..<65], as: UTF8.self)
        let bits = bytes[65...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let moment = Double(bitPattern: bits)
        freshUntil = moment.isNaN ? nil : .saturating(seconds: moment)
    }

    var bytes: [UInt8] {
        let bits = (freshUntil?.seconds ?? .nan).bitPattern
        let moment = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        return [1] + Array(keyDigest.utf8) + moment
    }

    static func read(_ descriptor: Int32) -> ImageFileMetadata? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard fgetxattr(descriptor, attribute, &bytes, byteCount) == byteCount else { return nil }
        return ImageFileMetadata(bytes: bytes)
    }

    /// Writes an extended attribute; returns `false` if the file system does not support it, and a separate
    /// file is needed.
    func write(_ descriptor: Int32) -> Bool {
        fsetxattr(descriptor, Self.attribute, bytes, Self.byteCount, 0) == 0
    }
}
