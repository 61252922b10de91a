/// Hosts that are an IPv4 address in an unusual form, such as `0x7f.1` or `2130706433` (RFC 3986 §7.4, WHATWG URL §3.5).
///
/// Clients connect to the address, and libcurl and browsers write it in dotted decimal in `Host`. So all forms of an address are
/// one host.
package enum IPv4Host {
    /// Returns an authority whose host is in dotted decimal; `nil` if the host is not an address in another form.
    package static func dotted(authority: String) -> String? {
        let isUsual = authority.utf8.withContiguousStorageIfAvailable { bytes in
            !isPossible(bytes) && !bytes.contains(ASCII.percent)
        }
        if isUsual == true { return nil }
        let bytes = TargetURI.normalizingPercentEncoding(Array(authority.utf8))[...]
        let end = bytes.firstIndex(of: ASCII.colon) ?? bytes.endIndex
        let host = dotted(bytes[..<end])
        return host.map { String(decoding: $0 + bytes[end...], as: UTF8.self) }
    }

    /// Returns a host in dotted decimal; `nil` if it is not an address, or has that form already.
    static func dotted(_ host: ArraySlice<UInt8>) -> [UInt8]? {
        guard host.first.map(ASCII.isDigit) == true, let address = address(host) else { return nil }
        let octets = [24, 16, 8, 0].map { String(address >> $0 & 0xFF) }
        let text = Array(octets.joined(separator: ".").utf8)
        return host.elementsEqual(text) ? nil : text
    }

    /// Whether an authority may be an address in an unusual form; false for nearly every authority.
    static func isPossible(_ authority: UnsafeBufferPointer<UInt8>) -> Bool {
        guard authority.first.map(ASCII.isDigit) == true else { return false }
        var (digits, dots, isZero) = (0, 0, false)
        for byte in authority {
            if byte == ASCII.colon { break }
            if byte == ASCII.dot {
                (digits, dots, isZero) = (0, dots + 1, false)
            } else {
                // Another digit after a leading zero, or a letter, is no decimal number in its usual form.
                if !ASCII.isDigit(byte) || isZero { return true }
                (isZero, digits) = (digits == 0 && byte == ASCII.zero, digits + 1)
            }
        }
        return dots != 3 || digits == 0
    }

    private static func address(_ host: ArraySlice<UInt8>) -> UInt32? {
        let parts = host.split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard parts.count <= 4, let last = parts.last.flatMap(number) else { return nil }
        var address: UInt64 = 0
        for part in parts.dropLast() {
            guard let number = number(part), number <= 0xFF else { return nil }
            address = address << 8 | number
        }
        // The last number replaces all remaining octets.
        let bits = UInt64(8 * (5 - parts.count))
        guard last < 1 << bits else { return nil }
        return UInt32(address << bits | last)
    }

    /// Reads a number in decimal, in hexadecimal after `0x`, or in octal after `0`.
    private static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
        let text = String(decoding: text, as: UTF8.self).lowercased()
        guard text.utf8.first.map(ASCII.isDigit) == true else { return nil }
        if text.hasPrefix("0x") { return UInt64(unsigned: text.dropFirst(2), radix: 16) }
        return UInt64(unsigned: text[...], radix: text.count > 1 && text.hasPrefix("0") ? 8 : 10)
    }
}

extension UInt64 {
    /// Reads digits without a sign.
    fileprivate init?(unsigned text: Substring, radix: Int) {
        guard text.utf8.first != 0x2B, text.utf8.first != ASCII.dash else { return nil }
        self.init(text, radix: radix)
    }
}
