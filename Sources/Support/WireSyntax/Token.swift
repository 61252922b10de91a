/// Tokens (RFC 9110 §5.6.2).
public enum Token {
    /// Whether a byte is a token character.
    @inlinable
    public static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        // Digits and letters; the range from 0x5E to 0x7A includes `^_` and the grave accent.
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A: true
        // !#$%&'*+-.|~
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether a text is a token: not empty, and token characters only.
    public static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isCharacter)
    }
}
