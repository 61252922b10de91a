import OriginScript

/// A JSON value, RFC 8259; numbers stay as they were written.
indirect enum JSONTree: Sendable, Hashable {
    struct Member: Sendable, Hashable {
        var name: String
        var value: JSONTree
    }
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONTree])
    case object([Member])

    /// Parses one JSON text; `nil` for anything else.
    init?(parsing bytes: [UInt8]) {
        var parser = JSONParser(rest: bytes[...])
        guard let value = parser.text() else { return nil }
        self = value
    }

    /// Returns the values at a path in order; none where it leads nowhere.
    func values(at steps: ArraySlice<JSONPath.Step>) -> [JSONTree] {
        guard let step = steps.first else { return [self] }
        let next: [JSONTree] =
            switch (step, self) {
            case (.member(let name), .object(let members)):
                // The last of two members of one name is what most readers keep.
                members.last { $0.name == name }.map { [$0.value] } ?? []
            case (.element(let index), .array(let elements)): index < elements.count ? [elements[index]] : []
            case (.every, .array(let elements)): elements
            case (.every, .object(let members)): members.map(\.value)
            default: []
            }
        return next.flatMap { $0.values(at: steps.dropFirst()) }
    }

    /// A string as it reads, anything else as JSON.
    var valueText: String {
        if case .string(let text) = self { text } else { json }
    }

    /// The value as JSON without blanks.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): JournalText.quoted(text)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JournalText.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",")
                + "}"
        }
    }
}

/// Reads JSON, RFC 8259.
private struct JSONParser {
    var rest: ArraySlice<UInt8>

    mutating func text() -> JSONTree? {
        guard let value = value(depth: 0) else { return nil }
        skipSpace()
        return rest.isEmpty ? value : nil
    }

    private mutating func value(depth: Int) -> JSONTree? {
        skipSpace()
        // Deep nesting would exhaust the stack.
        guard depth < 256, let first = rest.first else { return nil }
        switch first {
        case 0x7B: return list(0x7B, 0x7D) { $0.member(depth: depth + 1) }.map { .object($0) }
        case 0x5B: return list(0x5B, 0x5D) { $0.value(depth: depth + 1) }.map { .array($0) }
        case 0x22: return string().map { .string($0) }
        case 0x74: return word("true", .bool(true))
        case 0x66: return word("false", .bool(false))
        case 0x6E: return word("null", .null)
        default: return number()
        }
    }

    private mutating func list<Element>(
        _ open: UInt8,
        _ close: UInt8,
        _ element: (inout JSONParser) -> Element?
    ) -> [Element]? {
        _ = take(open)
        skipSpace()
        var elements: [Element] = []
        if take(close) { return elements }
        while true {
            guard let next = element(&self) else { return nil }
            elements.append(next)
            skipSpace()
            if take(close) { return elements }
            guard take(0x2C) else { return nil }
        }
    }

    private mutating func member(depth: Int) -> JSONTree.Member? {
        skipSpace()
        guard let name = string() else { return nil }
        skipSpace()
        guard take(0x3A), let value = value(depth: depth) else { return nil }
        return JSONTree.Member(name: name, value: value)
    }

    private mutating func string() -> String? {
        guard take(0x22) else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: return String(decoding: bytes, as: UTF8.self)
            case 0x00..<0x20: return nil
            case 0x5C: if !escape(into: &bytes) { return nil }
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func escape(into bytes: inout [UInt8]) -> Bool {
        guard let kind = rest.popFirst() else { return false }
        if kind == 0x75 { return unicode(into: &bytes) }
        guard let byte = Self.escapes[kind] else { return false }
        bytes.append(byte)
        return true
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]

    /// Half of a pair without its other half becomes the replacement character.
    private mutating func unicode(into bytes: inout [UInt8]) -> Bool {
        guard var value = unit() else { return false }
        if (0xD800..<0xDC00).contains(value), rest.starts(with: [0x5C, 0x75]) {
            let before = rest
            rest = rest.dropFirst(2)
            guard let low = unit() else { return false }
            if (0xDC00..<0xE000).contains(low) {
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            } else {
                rest = before
            }
        }
        bytes += String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8
        return true
    }

    private mutating func unit() -> UInt32? {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            return nil
        }
        rest = rest.dropFirst(4)
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func number() -> JSONTree? {
        let start = rest
        _ = take(0x2D)
        if !take(0x30), !digits() { return nil }
        if take(0x2E), !digits() { return nil }
        if take(0x65) || take(0x45) {
            if !take(0x2B) { _ = take(0x2D) }
            guard digits() else { return nil }
        }
        return .number(String(decoding: start.prefix(start.count - rest.count), as: UTF8.self))
    }

    private mutating func digits() -> Bool {
        let run = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(run.count)
        return !run.isEmpty
    }

    private mutating func word(_ word: String, _ value: JSONTree) -> JSONTree? {
        guard rest.starts(with: word.utf8) else { return nil }
        rest = rest.dropFirst(word.utf8.count)
        return value
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
