/// Limits on a file before and after its aliases are resolved.
enum ParseLimits {
    /// The maximum size of a file in bytes.
    static let bytes = 4 << 20
    /// The maximum number of values in the tree, aliases counted each time they are used.
    static let nodes = 500_000
    /// The maximum nesting depth of lists and maps.
    static let depth = 64
    /// The maximum number of aliases in a file that also has lists or maps as keys.
    static let aliasesBesideComplexKeys = 40

    /// Returns the reason why `text` is rejected before parsing; `nil` if it is not.
    static func refusal(of text: String, file: String) -> Problem? {
        let start = Position(file: file)
        if let problem = refusal(of: text, beyond: bytes, at: start) { return problem }
        // The parser compares keys deeply, and so expands aliases, before the tree can be counted here.
        let shape = shape(of: text)
        guard shape.aliases > aliasesBesideComplexKeys, shape.hasComplexKeys else { return nil }
        let found = "\(shape.aliases) aliases in a file with lists or maps as keys"
        return Problem(at: start, found: found, expected: "text as keys")
    }

    /// Returns the problem of a text with more bytes than `limit`; `nil` for others.
    static func refusal(of text: String, beyond limit: Int, at start: Position) -> Problem? {
        let count = text.utf8.count
        if count <= limit { return nil }
        return Problem(at: start, found: "a file of \(count) bytes", expected: "at most \(limit) bytes")
    }

    /// Counts possible aliases, and whether a list, a map or an alias may be a key.
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
