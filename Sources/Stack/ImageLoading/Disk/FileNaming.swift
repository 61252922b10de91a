import CacheSemantics
import Fetching

/// A rule that derives a file name from an image's key.
///
/// A name that is hidden, too long, or not a plain file name is replaced by the SHA-256 digest of the key, so
/// that every file stays in the folder.
public struct FileNaming: Sendable {
    private let make: @Sendable (String) -> String

    /// Creates a custom rule.
    public init(_ make: @escaping @Sendable (String) -> String) { self.make = make }

    /// MD5 of the key as 32 hexadecimal digits, followed by the extension of the URL's path, if any.
    public static let md5WithExtension = FileNaming { key in
        let path = PathExtension.path(ofURL: key)
        guard let suffix = PathExtension(of: path), suffix.isPlain else { return MessageDigest.md5(key) }
        return MessageDigest.md5(key) + "." + suffix.text
    }

    /// Like `md5WithExtension`, but with the extension of the whole key, including query and host, as the
    /// documents show.
    public static let md5WithExtensionOfKey = FileNaming { key in
        guard let suffix = PathExtension(of: key) else { return MessageDigest.md5(key) }
        return MessageDigest.md5(key) + "." + suffix.text
    }

    /// SHA-1 of the key as 40 hexadecimal digits.
    public static let sha1 = FileNaming { MessageDigest.sha1($0) }

    /// SHA-256 of the key as 64 hexadecimal digits.
    public static let sha256 = FileNaming { SHA256.text($0.utf8) }

    /// Returns the file name for a key.
    public func name(for key: String) -> String {
        let name = make(key)
        let isSafe =
            !name.isEmpty && name.utf8.count <= 222 && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != 0x7F }
        return isSafe ? name : SHA256.text(key.utf8)
    }
}

/// The extension of a path's last component.
struct PathExtension {
    let text: String

    /// Creates the extension; `nil` if the last component has no full stop, starts with its only one, or ends
    /// with it.
    init?(of path: String) {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let last = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return nil }
        let suffix = last[last.index(after: dot)...]
        guard !suffix.isEmpty, !suffix.contains(" ") else { return nil }
        text = String(suffix)
    }

    /// Whether it has at most 16 characters, all of them ASCII letters and digits.
    var isPlain: Bool {
        text.utf8.count <= 16
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
    }

    /// Returns the path of a URL without authority, query and fragment; any other text is returned as its own
    /// path.
    static func path(ofURL url: String) -> String {
        var rest = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
        }
        return String(rest)
    }
}

extension Substring {
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
