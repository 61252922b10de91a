/// A position in a JSON text that advances token by token.
struct JSONCursor {
    private let bytes: [UInt8]
    private(set) var place = JSONPosition(offset: 0, line: 1, column: 1)

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place.offset = 3 }
    }

    var next: UInt8? { place.offset < bytes.count ? bytes[place.offset] : nil }

    mutating func advance() {
        let byte = bytes[place.offset]
        place.offset += 1
        if byte == 0x0A {
            place.line += 1
            place.column = 1
        } else if byte & 0xC0 != 0x80 {
            place.column += 1
        }
    }

    mutating func skipBlanks() {
        while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { advance() }
    }

    /// Consumes a character if it is next after white space; returns whether it was.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        advance()
        return true
    }

    /// Consumes the characters of a number, `true`, `false` or `null`.
    mutating func takeWord() -> ArraySlice<UInt8> {
        let start = place.offset
        while let next, Self.isWordByte(next) { advance() }
        return bytes[start..<place.offset]
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    func unexpected(_ expected: String) -> JSONProblem {
        guard let next else {
            return JSONProblem(at: place, found: "the end of the file", expected: expected)
        }
        let length = next < 0x80 ? 1 : next < 0xE0 ? 2 : next < 0xF0 ? 3 : 4
        let found = String(decoding: bytes[place.offset...].prefix(length), as: UTF8.self)
        return JSONProblem(at: place, found: JSONValue.quoted(found), expected: expected)
    }

    // MARK: Strings

    /// Consumes a string; its opening quotation mark is next.
    mutating func takeString() throws(JSONProblem) -> String {
        let start = place
        advance()
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                advance()
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw JSONProblem(at: start, found: "bytes that are not UTF-8", expected: "UTF-8 text")
                }
                return string
            case UInt8(ascii: "\\"): text += String(try takeEscape()).utf8
            case 0..<0x20: throw unexpected("\"\\u\" and four digits for it")
            default:
                text.append(byte)
                advance()
            }
        }
        throw unexpected("the closing quotation mark")
    }

    private mutating func takeEscape() throws(JSONProblem) -> Unicode.Scalar {
        advance()
        guard let kind = next else { throw unexpected("an escape") }
        if kind == UInt8(ascii: "u") { return try takeCodedCharacter() }
        guard let scalar = Self.escapes[kind] else { throw unexpected("one of \"\\/bfnrtu") }
        advance()
        return scalar
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n", 0x72: "\r", 0x74: "\t",
    ]

    private mutating func takeCodedCharacter() throws(JSONProblem) -> Unicode.Scalar {
        let high = try takeCodeUnit()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard high < 0xDC00, bytes[place.offset...].starts(with: "\\u".utf8) else { return "\u{FFFD}" }
        let behindHigh = place
        advance()
        let low = try takeCodeUnit()
        if (0xDC00...0xDFFF).contains(low) {
            return Unicode.Scalar((high - 0xD800) << 10 + (low - 0xDC00) + 0x10000) ?? "\u{FFFD}"
        }
        place = behindHigh
        return "\u{FFFD}"
    }

    /// Consumes `u` and four digits.
    private mutating func takeCodeUnit() throws(JSONProblem) -> UInt32 {
        advance()
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let next, let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
                throw unexpected("four hexadecimal digits")
            }
            unit = unit << 4 | UInt32(digit)
            advance()
        }
        return unit
    }
}
