import CLibrary
import TextCodings
import WireSyntax

/// The value of a Host field: `uri-host [":" port]` (RFC 9110 §7.2), or nothing for a target without an authority.
enum HostValue {
    /// Whether a value has this form.
    static func isValid(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        let value = value[...]
        guard value.first != UInt8(ascii: "[") else { return isLiteral(value) }
        let colon = value.firstIndex(of: UInt8(ascii: ":")) ?? value.endIndex
        return isName(value[..<colon]) && isPort(value[colon...])
    }

    /// Whether a text is empty, or a colon and digits, of which there may be none (RFC 3986 §3.2.3).
    private static func isPort(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        text.isEmpty || text.first == UInt8(ascii: ":") && text.dropFirst().allSatisfy(isDigit)
    }

    /// Whether a text is a name of allowed bytes and percent-encoded ones, which includes IPv4 addresses (RFC 3986
    /// §3.2.2).
    private static func isName(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var position = text.startIndex
        while position < text.endIndex {
            if text[position] == UInt8(ascii: "%") {
                guard text.endIndex - position > 2,
                    text[(position + 1)...(position + 2)].allSatisfy(isHexadecimal)
                else { return false }
                position += 3
            } else {
                guard nameBytes[Int(text[position])] else { return false }
                position += 1
            }
        }
        return true
    }

    /// Whether a value is an IPv6 address, or an address of a future version, in brackets, and a port if any (RFC 3986
    /// §3.2.2).
    private static func isLiteral(_ value: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let end = value.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let address = value[(value.startIndex + 1)..<end]
        return (isFuture(address) || isIPv6(address)) && isPort(value[(end + 1)...])
    }

    private static func isIPv6(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var address = in6_addr()
        return text.count <= 45 && !text.contains(0)
            && inet_pton(AF_INET6, String(decoding: text, as: UTF8.self), &address) == 1
    }

    private static func isFuture(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let first = text.first, first.lowercasedASCII == UInt8(ascii: "v"),
            let dot = text.firstIndex(of: UInt8(ascii: "."))
        else { return false }
        let (version, rest) = (text[(text.startIndex + 1)..<dot], text[(dot + 1)...])
        return !version.isEmpty && version.allSatisfy(isHexadecimal)
            && !rest.isEmpty && rest.allSatisfy { nameBytes[Int($0)] || $0 == UInt8(ascii: ":") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { Hexadecimal.value(of: byte) != nil }

    /// The literal bytes of a name: `unreserved` and `sub-delims`.
    private static let nameBytes: [Bool] = (UInt8.min ... .max).map { byte in
        PercentText.isUnreserved(byte) || "!$&'()*+,;=".utf8.contains(byte)
    }
}
