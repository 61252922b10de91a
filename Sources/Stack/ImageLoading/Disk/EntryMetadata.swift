import CacheSemantics
import Cxattr

/// What is kept beside the bytes of an image: whose they are, and how long they are fresh.
///
/// The digest of the key is there because a file name of 128 bits can be forged; the key itself, which may hold secrets,
/// is not written.
struct EntryNote: Sendable, Hashable {
    static let byteCount = 73
    private static let attribute = "user.cachecheck.image"

    /// SHA-256 of the key, 64 hexadecimal digits.
    var keyDigest: String
    /// Wall seconds until which the image is fresh; `nil` where that does not matter.
    var freshUntil: Double?

    init(key: String, freshUntil: Double?) {
        keyDigest = SHA256.text(key.utf8)
        self.freshUntil = freshUntil
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == 1 else { return nil }
        keyDigest = String(decoding: bytes[1..<65], as: UTF8.self)
        let bits = bytes[65...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let moment = Double(bitPattern: bits)
        freshUntil = moment.isNaN ? nil : moment
    }

    var bytes: [UInt8] {
        let bits = (freshUntil ?? .nan).bitPattern
        let moment = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        return [1] + Array(keyDigest.utf8) + moment
    }

    static func read(_ descriptor: Int32) -> EntryNote? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard fgetxattr(descriptor, attribute, &bytes, byteCount) == byteCount else { return nil }
        return EntryNote(bytes: bytes)
    }

    /// False where the file system has no room for it, so that it has to be a file of its own.
    func write(_ descriptor: Int32) -> Bool {
        fsetxattr(descriptor, Self.attribute, bytes, Self.byteCount, 0) == 0
    }
}
