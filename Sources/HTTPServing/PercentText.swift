/// Percent-encoded text, RFC 3986 §2.1.
public enum PercentText {
    /// Returns the decoded text; `nil` when an escape is malformed or the bytes are no UTF-8.
    ///
    /// With `plusIsSpace`, as forms are encoded, a plus sign stands for a space.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == 0x25 {
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
                else {
                    return nil
                }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(byte == 0x2B && plusIsSpace ? 0x20 : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

/// A request target in origin form, taken apart but not decoded.
public struct TargetParts: Sendable, Hashable {
    /// Path as it was sent.
    public var path: String
    /// Query as it was sent; `nil` where there is none.
    public var query: String?

    /// Takes a target apart; of an absolute form the authority is dropped.
    public init(_ target: String) {
        var text = target[...]
        // Nearly every target begins with its path, and looking for more costs more than all the rest.
        if text.utf8.first != 0x2F, text.hasPrefix("http"), let scheme = text.firstRange(of: "://") {
            let afterAuthority = text[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" }
            text = afterAuthority.map { text[$0...] } ?? "/"
        }
        let mark = text.utf8.firstIndex(of: 0x3F)
        path = String(text[..<(mark ?? text.endIndex)])
        query = mark.map { String(text[text.utf8.index(after: $0)...]) }
        if path.isEmpty { path = "/" }
    }
}
