/// A rule for the addresses to which requests on behalf of others may connect: public ones, and those that are
/// allowed.
///
/// It applies to the address to which a socket is connected, after the name has been resolved: a later answer of a
/// name server changes nothing.
public struct AddressRule: Sendable, Hashable {
    /// Blocks that may be connected to although they are not public; default none.
    public var allowed: [AddressBlock]

    /// Creates a rule.
    public init(allowing allowed: [AddressBlock] = []) { self.allowed = allowed }

    /// Returns whether an address may be connected to.
    public func permits(_ address: IPAddress) -> Bool {
        let effective = address.effective
        return !Self.isSpecial(effective)
            || allowed.contains { $0.contains(effective) || $0.contains(address) }
    }

    private static func isSpecial(_ address: IPAddress) -> Bool {
        special.contains { $0.contains(address) }
    }

    /// The blocks that the registries of RFC 6890 do not list as globally reachable, IPv4-translated addresses (RFC 2765
    /// §2.1), and multicast.
    private static let special: [AddressBlock] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
        "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "fc00::/7",
        "fe80::/9", "ff00::/8",
    ].map { AddressBlock(known: $0) }
}
