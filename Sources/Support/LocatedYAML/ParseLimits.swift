/// How large a file may be and may become when its aliases are followed.
enum ParseLimits {
    /// Bytes of a file.
    static let bytes = 4 << 20
    /// Values in the tree, aliases counted as often as they are used.
    static let nodes = 500_000
    /// Levels of lists and maps.
    static let depth = 64
    /// Aliases in a file that also has lists or maps as keys.
    static let aliasesBesideComplexKeys = 40

    /// Returns why `text` is not given to the parser at all.
    static func refusal(of text: String, file: String) -> Problem? {
        let start = Position(file: file, line: 1, column: 1)
        if text.utf8.count > bytes {
            return Problem(
                at: start,
                found: "a file of \(text.utf8.count) bytes",
                expected: "at most \(bytes) bytes"
            )
        }
        // The parser compares keys in depth, and so expands what aliases share, before we see the tree.
        let shape = shape(of: text)
        guard shape.aliases > aliasesBesideComplexKeys, shape.hasComplexKeys else { return nil }
        return Problem(
            at: start,
            found: "\(shape.aliases) aliases in a file with lists or maps as keys",
            expected: "texts as keys"
        )
    }

    /// Counts what looks like an alias, and whether anything looks like a list, a map or an alias as a key.
    private static func shape(of text: String) -> (aliases: Int, hasComplexKeys: Bool) {
        var aliases = 0
        var hasComplexKeys = false
        var isInAlias = false
        var previous = UInt8(ascii: "\n")
        for byte in text.utf8 {
            switch byte {
            case _ where previous == UInt8(ascii: "*") && isInAlias && !isSpace(byte): aliases += 1
            case UInt8(ascii: ":") where previous == UInt8(ascii: "]") || previous == UInt8(ascii: "}"):
                hasComplexKeys = true
            case UInt8(ascii: ":") where isInAlias: hasComplexKeys = true
            case _ where isSpace(byte) && previous == UInt8(ascii: "?"): hasComplexKeys = true
            default: break
            }
            if byte == UInt8(ascii: "*") { isInAlias = canPrecedeAlias(previous) }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: ",") { isInAlias = false }
            previous = byte
        }
        return (aliases, hasComplexKeys)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
    }

    private static func canPrecedeAlias(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: ",")
    }
}
