/// Why bytes are not JSON.
public struct JSONProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// Place of the first byte that is wrong, from 0.
    public let offset: Int
    /// What is wrong, without the place.
    public let reason: String

    /// One sentence.
    public var description: String { "At byte \(offset): \(reason)." }
}

extension JSONValue {
    /// How deep arrays and objects may be nested, by default.
    public static let usualDepthLimit = 512

    /// Reads a JSON text in UTF-8, with or without byte order mark.
    ///
    /// Throws the first thing that is wrong with it, deeper nesting than `depthLimit` included.
    public init(
        parsing bytes: [UInt8],
        depthLimit: Int = JSONValue.usualDepthLimit
    ) throws(JSONProblem) {
        var parser = JSONParser(bytes, depthLimit: depthLimit)
        self = try parser.parseAll()
    }
}

/// Reads JSON byte by byte.
private struct JSONParser {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var place = 0
    private var depth = 0

    init(_ bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    mutating func parseAll() throws(JSONProblem) -> JSONValue {
        let value = try parseValue()
        skipBlanks()
        guard place == bytes.count else { throw problem("something follows the value") }
        return value
    }

    private mutating func parseValue() throws(JSONProblem) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try nested { parser throws(JSONProblem) in try parser.parseObject() }
        case UInt8(ascii: "["): return try nested { parser throws(JSONProblem) in try parser.parseArray() }
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
        case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
        case UInt8(ascii: "n"): return try parseWord("null", .null)
        case nil: throw problem("the text ends where a value should be")
        case let byte?:
            let isNumber = byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard isNumber else { throw problem("no value begins here") }
            return try parseNumber()
        }
    }

    private mutating func nested(
        _ parse: (inout JSONParser) throws(JSONProblem) -> JSONValue
    ) throws(JSONProblem) -> JSONValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= depthLimit else {
            throw problem("values are nested deeper than the limit of \(depthLimit)")
        }
        place += 1
        return try parse(&self)
    }

    private mutating func parseObject() throws(JSONProblem) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if take("}") { return .object(members) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw problem("a name in quotes should be here") }
            let name = try parseString()
            guard take(":") else { throw problem("a colon should be here") }
            members[name] = try parseValue()
            if take("}") { return .object(members) }
            guard take(",") else { throw problem("a comma or a closing brace should be here") }
        }
    }

    private mutating func parseArray() throws(JSONProblem) -> JSONValue {
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        while true {
            elements.append(try parseValue())
            if take("]") { return .array(elements) }
            guard take(",") else { throw problem("a comma or a closing bracket should be here") }
        }
    }

    private mutating func parseWord(_ word: String, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
        guard bytes[place...].starts(with: word.utf8) else { throw problem("no value begins here") }
        place += word.utf8.count
        return value
    }

    private mutating func parseNumber() throws(JSONProblem) -> JSONValue {
        let start = place
        if next == UInt8(ascii: "-") { place += 1 }
        let leading = next
        let whole = skipDigits()
        guard whole > 0, whole == 1 || leading != UInt8(ascii: "0") else {
            throw problem("this is no number as JSON writes it")
        }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            place += 1
            isWhole = false
            guard skipDigits() > 0 else { throw problem("digits should follow the point") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            place += 1
            isWhole = false
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            guard skipDigits() > 0 else { throw problem("digits should follow the exponent") }
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text) else { throw problem("this is no number") }
        return .number(number)
    }

    private mutating func skipDigits() -> Int {
        let start = place
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { place += 1 }
        return place - start
    }

    private mutating func parseString() throws(JSONProblem) -> String {
        let start = place
        place += 1
        var text: [UInt8] = []
        while let byte = next {
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw JSONProblem(offset: start, reason: "a string is not UTF-8")
                }
                return string
            case UInt8(ascii: "\\"): text += try parseEscape()
            case 0..<0x20: throw JSONProblem(offset: place - 1, reason: "a control character in a string")
            default: text.append(byte)
            }
        }
        throw JSONProblem(offset: start, reason: "a string does not end")
    }

    private mutating func parseEscape() throws(JSONProblem) -> [UInt8] {
        guard let byte = next else { throw problem("an escape does not end") }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "u"): return Array(String(try parseScalar()).utf8)
        default: throw JSONProblem(offset: place - 1, reason: "this escape does not exist")
        }
    }

    /// A surrogate without its other half becomes U+FFFD, as browsers have it.
    private mutating func parseScalar() throws(JSONProblem) -> Character {
        let first = try parseHex()
        let replacement: Character = "\u{FFFD}"
        guard (0xD800..<0xE000).contains(first) else {
            return Unicode.Scalar(first).map(Character.init) ?? replacement
        }
        guard first < 0xDC00, bytes[place...].starts(with: "\\u".utf8) else { return replacement }
        let before = place
        place += 2
        let second = try parseHex()
        guard (0xDC00..<0xE000).contains(second) else {
            place = before
            return replacement
        }
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        return scalar.map(Character.init) ?? replacement
    }

    private mutating func parseHex() throws(JSONProblem) -> UInt32 {
        let digits = bytes[place...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("four hexadecimal digits should be here") }
        place += 4
        return value
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
        while let next, next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { place += 1 }
    }

    /// Takes a character, after blanks, if it is next.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private func problem(_ reason: String) -> JSONProblem { JSONProblem(offset: place, reason: reason) }
}
