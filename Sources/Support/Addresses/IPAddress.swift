import CLibrary

/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes, in network order.
    package let bytes: [UInt8]

    /// Reads an address such as `127.0.0.1` or `::1`; `nil` for anything else.
    public init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.init(bytes: bytes)
                return
            }
        }
        return nil
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the address to which a socket is about to be connected; `nil` if it belongs to neither family.
    package init?(socketAddress address: UnsafeRawPointer) {
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let four = address.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(bytes: withUnsafeBytes(of: four) { Array($0) })
        case AF_INET6:
            let six = address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(bytes: withUnsafeBytes(of: six) { Array($0) })
        default: return nil
        }
    }

    /// The effective address: the IPv4 address that an IPv6 address represents, or the address itself.
    ///
    /// IPv4-mapped (RFC 4291 §2.5.5.2), NAT64 (RFC 6052 §2.1) and 6to4 (RFC 3056 §2).
    var effective: IPAddress {
        guard bytes.count == 16 else { return self }
        if Self.mapped.contains(self) || Self.nat64.contains(self) {
            return IPAddress(bytes: Array(bytes[12...]))
        }
        return Self.sixToFour.contains(self) ? IPAddress(bytes: Array(bytes[2..<6])) : self
    }

    private static let mapped = AddressBlock(known: "::ffff:0:0/96")
    private static let nat64 = AddressBlock(known: "64:ff9b::/96")
    private static let sixToFour = AddressBlock(known: "2002::/16")

    /// The address in its usual form.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        inet_ntop(family, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A block of addresses, such as `127.0.0.0/8` or `fd00::/8`.
public struct AddressBlock: Sendable, Hashable {
    private let address: IPAddress
    /// The number of significant leading bits.
    private let bits: Int

    /// Reads `ADDRESS/BITS`, or an address for a block of one; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let most = address.bytes.count * 8
        let bits = parts.count == 1 ? most : Self.number(parts[1])
        guard let bits, bits <= most else { return nil }
        self.address = address
        self.bits = bits
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }

    /// Creates a block from a text that is known to be one.
    init(known text: String) {
        guard let block = AddressBlock(text) else { preconditionFailure("\(text) is not ADDRESS/BITS") }
        self = block
    }

    /// Returns whether an address of the same family is in the block.
    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let whole = bits / 8
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        guard bits % 8 > 0 else { return true }
        return (other.bytes[whole] ^ address.bytes[whole]) >> UInt8(8 - bits % 8) == 0
    }
}
