/// Classes of the bytes of field values (RFC 9110 §5.6).
enum ASCII {
    static let tab: UInt8 = 0x09
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let asterisk: UInt8 = 0x2A
    static let comma: UInt8 = 0x2C
    static let dash: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let question: UInt8 = 0x3F
    static let at: UInt8 = 0x40
    static let upperW: UInt8 = 0x57
    static let backslash: UInt8 = 0x5C
    static let bracketClose: UInt8 = 0x5D

    /// Returns a text of some bytes that is different for different bytes.
    ///
    /// Decoding as UTF-8 is not: invalid bytes are replaced, and canonically equivalent texts are equal.
    static func exactText(_ bytes: some Collection<UInt8>) -> String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return String(decoding: bytes, as: UTF8.self) }
        // A field value never contains NUL.
        return bytes.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\0" + String(byte, radix: 16)
            }
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    static func isOptionalWhitespace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        if isDigit(byte) || isLetter(byte) { return true }
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: return true
        default: return false
        }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    static func uppercased(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte & 0xDF : byte }

    /// Returns the value of a hexadecimal digit; `nil` for any other byte.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - zero }
        let lower = lowercased(byte)
        return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : nil
    }

    /// Returns the slice without leading and trailing optional whitespace.
    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes
    where Bytes.SubSequence == Bytes {
        var slice = bytes
        while let first = slice.first, isOptionalWhitespace(first) { slice.removeFirst() }
        while let last = slice.last, isOptionalWhitespace(last) { slice.removeLast() }
        return slice
    }

    /// Returns the text in lower case.
    static func lowercased(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { text in
            var count = 0
            for byte in bytes {
                text[count] = lowercased(byte)
                count += 1
            }
            return count
        }
    }
}
