extension YAMLNode {
    /// Parses one JSON text (RFC 8259); `file` is its name in positions, whose columns count characters.
    ///
    /// Texts are read as quoted scalars, numbers, `true`, `false` and `null` as plain ones. Half of a surrogate pair
    /// becomes U+FFFD. A key twice in a map is refused.
    public static func parse(json text: String, file: String) throws(YAMLProblems) -> YAMLNode {
        if text.utf8.count > ParseLimits.bytes {
            let found = "a file of \(text.utf8.count) bytes"
            let start = Position(file: file, line: 1, column: 1)
            throw YAMLProblems([
                Problem(at: start, found: found, expected: "at most \(ParseLimits.bytes) bytes")
            ])
        }
        var parser = JSONParser(Array(text.utf8), file: file)
        do throws(Problem) {
            return try parser.parse()
        } catch {
            throw YAMLProblems([error])
        }
    }
}

extension Problem: Error {}

/// Reads JSON and remembers where everything stands.
private struct JSONParser {
    private let bytes: [UInt8]
    private let file: String
    private var index = 0
    private var line = 1
    private var column = 1
    private var remainingNodes = ParseLimits.nodes

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    mutating func parse() throws(Problem) -> YAMLNode {
        let node = try value(depth: 0)
        skipSpace()
        if index < bytes.count { throw unexpected("the end of the file") }
        return node
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(Problem) -> YAMLNode {
        skipSpace()
        let start = position
        remainingNodes -= 1
        guard depth <= ParseLimits.depth else {
            throw Problem(
                at: start,
                found: "lists and maps nested deeper than \(ParseLimits.depth)",
                expected: "a flatter file"
            )
        }
        guard remainingNodes >= 0 else {
            throw Problem(
                at: start,
                found: "more than \(ParseLimits.nodes) values",
                expected: "a smaller file"
            )
        }
        switch current {
        case UInt8(ascii: "{"): return YAMLNode(.mapping(try pairs(depth: depth)), at: start)
        case UInt8(ascii: "["): return YAMLNode(.sequence(try elements(depth: depth)), at: start)
        case UInt8(ascii: "\""):
            return YAMLNode(.scalar(YAMLScalar(try string(), isPlain: false)), at: start)
        default: return YAMLNode(.scalar(YAMLScalar(try word(), isPlain: true)), at: start)
        }
    }

    private mutating func elements(depth: Int) throws(Problem) -> [YAMLNode] {
        advance()
        var nodes: [YAMLNode] = []
        skipSpace()
        if take("]") { return nodes }
        while true {
            nodes.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") { return nodes }
            guard take(",") else { throw unexpected("\",\" or \"]\"") }
        }
    }

    private mutating func pairs(depth: Int) throws(Problem) -> [YAMLPair] {
        advance()
        var pairs: [YAMLPair] = []
        skipSpace()
        if take("}") { return pairs }
        while true {
            pairs.append(try pair(depth: depth, after: pairs))
            skipSpace()
            if take("}") { return pairs }
            guard take(",") else { throw unexpected("\",\" or \"}\"") }
        }
    }

    private mutating func pair(depth: Int, after pairs: [YAMLPair]) throws(Problem) -> YAMLPair {
        skipSpace()
        let start = position
        guard current == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
        let key = try string()
        if pairs.index(of: key) != nil {
            throw Problem(
                at: start,
                found: "key \(YAMLNode.quoted(key)) more than once in a map",
                expected: "each key once"
            )
        }
        skipSpace()
        guard take(":") else { throw unexpected("\":\"") }
        return YAMLPair(key: key, at: start, value: try value(depth: depth + 1))
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() throws(Problem) -> String {
        let start = position
        let first = index
        while let byte = current, Self.isWordByte(byte) { advance() }
        let text = String(decoding: bytes[first..<index], as: UTF8.self)
        if ["true", "false", "null"].contains(text) || Self.isNumber(bytes[first..<index]) { return text }
        if text.isEmpty { throw unexpected("a value") }
        throw Problem(at: start, found: YAMLNode.quoted(text), expected: "a JSON value")
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    /// RFC 8259 §6.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func digits() -> Int {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = digits()
        guard count > 0, !startsWithZero || count == 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 else { return false }
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    // MARK: Texts

    private mutating func string() throws(Problem) -> String {
        advance()
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                advance()
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += String(try escape()).utf8
            case 0..<0x20: throw unexpected("\"\\u\" and four digits for it")
            default:
                text.append(byte)
                advance()
            }
        }
        throw unexpected("the closing quotation mark")
    }

    private mutating func escape() throws(Problem) -> Unicode.Scalar {
        advance()
        guard let kind = current else { throw unexpected("an escape") }
        if kind == UInt8(ascii: "u") { return try codedCharacter() }
        guard let scalar = Self.escapes[kind] else { throw unexpected("one of \"\\/bfnrtu") }
        advance()
        return scalar
    }

    private mutating func codedCharacter() throws(Problem) -> Unicode.Scalar {
        let high = try codeUnit()
        if let scalar = Unicode.Scalar(high) { return scalar }
        let isPair =
            high < 0xDC00 && current == UInt8(ascii: "\\")
            && bytes.dropFirst(index + 1).first == UInt8(ascii: "u")
        guard isPair else { return "\u{FFFD}" }
        let before = self
        advance()
        let low = try codeUnit()
        if (0xDC00...0xDFFF).contains(low) {
            return Unicode.Scalar((high - 0xD800) << 10 + (low - 0xDC00) + 0x10000) ?? "\u{FFFD}"
        }
        self = before
        return "\u{FFFD}"
    }

    /// Reads `u` and four digits.
    private mutating func codeUnit() throws(Problem) -> UInt32 {
        advance()
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("four hexadecimal digits")
            }
            unit = unit << 4 | UInt32(digit)
            advance()
        }
        return unit
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r", 0x74: "\t",
    ]

    // MARK: Bytes

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private var position: Position { Position(file: file, line: line, column: column) }

    private mutating func advance() {
        let byte = bytes[index]
        index += 1
        if byte == 0x0A {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        advance()
        return true
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
    }

    private func unexpected(_ expected: String) -> Problem {
        guard let byte = current else {
            return Problem(at: position, found: "the end of the file", expected: expected)
        }
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let found = String(decoding: bytes[index...].prefix(length), as: UTF8.self)
        return Problem(at: position, found: YAMLNode.quoted(found), expected: expected)
    }
}
