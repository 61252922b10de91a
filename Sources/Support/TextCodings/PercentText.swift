/// Percent-encoded text (RFC 3986 §2.1).
public enum PercentText {
    /// Returns the decoded text; `nil` if an escape is malformed or the bytes are not UTF-8.
    ///
    /// With `plusIsSpace`, as in forms, a plus sign becomes a space.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        let (bytes, isWellFormed) = decoded(text, plusIsSpace)
        return isWellFormed ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// Returns the decoded text; malformed escapes are kept, and malformed UTF-8 becomes U+FFFD.
    public static func text(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        String(decoding: bytes(text, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// Returns the decoded bytes; malformed escapes are kept.
    public static func bytes(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8] {
        decoded(text, plusIsSpace).bytes
    }

    private static func decoded(
        _ text: some StringProtocol,
        _ plusIsSpace: Bool
    ) -> (bytes: [UInt8], isWellFormed: Bool) {
        var bytes: [UInt8] = []
        var isWellFormed = true
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = rest.prefix(2).compactMap(Hexadecimal.value)
                if digits.count == 2 {
                    bytes.append(digits[0] << 4 | digits[1])
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte)
                    isWellFormed = false
                }
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
            }
        }
        return (bytes, isWellFormed)
    }

    /// Returns the text with every byte escaped for which `isKept` is false.
    public static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a byte is unreserved: letters, digits and `-._~` (RFC 3986 §2.3).
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    // RFC 3986 §2.1 recommends upper case.
    private static let digits = Array("0123456789ABCDEF".utf8)
}
