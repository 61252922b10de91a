/// Base64 (RFC 4648 §4) with padding and without line breaks.
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The value of each digit; above 63 for bytes that are not digits.
    private static let values: [UInt8] = digits.enumerated().reduce(
        into: [UInt8](repeating: 0xFF, count: 256)
    ) { values, digit in values[Int(digit.element)] = UInt8(digit.offset) }

    /// Returns the text that encodes some bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for begin in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[begin..<min(begin + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes that a text encodes; `nil` if it is malformed.
    ///
    /// White space is rejected, or skipped with `skippingBlanks`, as for folded texts.
    public static func decode(_ text: some StringProtocol, skippingBlanks: Bool = false) -> [UInt8]? {
        let text = text.utf8.filter { !skippingBlanks || ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let content = text.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.dropFirst(content.count)
        guard text.count.isMultiple(of: 4), padding.count <= 2,
            padding.allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        return bytes(of: content)
    }

    private static func bytes(of content: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count / 4 * 3 + 2)
        var (bits, count) = (0, 0)
        for digit in content {
            let value = values[Int(digit)]
            guard value < 64 else { return nil }
            (bits, count) = (bits << 6 | Int(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= 1 << count - 1
        }
        return bytes
    }
}
