/// Whether bytes are one JSON text, RFC 8259.
struct JSONCheck {
    private var rest: ArraySlice<UInt8>

    static func isValid(_ bytes: [UInt8]) -> Bool {
        var check = JSONCheck(rest: bytes[...])
        guard check.value(depth: 0) else { return false }
        check.skipSpace()
        return check.rest.isEmpty
    }

    private mutating func value(depth: Int) -> Bool {
        skipSpace()
        // Deep nesting would exhaust the stack.
        guard depth < 256, let first = rest.first else { return false }
        switch first {
        case 0x7B: return list(0x7B, 0x7D) { $0.member(depth: depth + 1) }
        case 0x5B: return list(0x5B, 0x5D) { $0.value(depth: depth + 1) }
        case 0x22: return string()
        case 0x74: return word("true")
        case 0x66: return word("false")
        case 0x6E: return word("null")
        default: return number()
        }
    }

    private mutating func list(_ open: UInt8, _ close: UInt8, _ element: (inout JSONCheck) -> Bool) -> Bool {
        _ = take(open)
        skipSpace()
        if take(close) { return true }
        while true {
            guard element(&self) else { return false }
            skipSpace()
            if take(close) { return true }
            guard take(0x2C) else { return false }
        }
    }

    private mutating func member(depth: Int) -> Bool {
        skipSpace()
        guard string() else { return false }
        skipSpace()
        return take(0x3A) && value(depth: depth)
    }

    private mutating func string() -> Bool {
        guard take(0x22) else { return false }
        while let byte = rest.popFirst() {
            switch byte {
            case 0x22: return true
            case 0x00..<0x20: return false
            case 0x5C: if !escape() { return false }
            default: continue
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let kind = rest.popFirst() else { return false }
        if kind != 0x75 { return "\"\\/bfnrt".utf8.contains(kind) }
        let digits = rest.prefix(4)
        rest = rest.dropFirst(4)
        return digits.count == 4 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    private mutating func number() -> Bool {
        _ = take(0x2D)
        if !take(0x30), !digits() { return false }
        if take(0x2E), !digits() { return false }
        guard take(0x65) || take(0x45) else { return true }
        if !take(0x2B) { _ = take(0x2D) }
        return digits()
    }

    private mutating func digits() -> Bool {
        let run = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(run.count)
        return !run.isEmpty
    }

    private mutating func word(_ word: String) -> Bool {
        guard rest.starts(with: word.utf8) else { return false }
        rest = rest.dropFirst(word.utf8.count)
        return true
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
