import Ccurl

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

    /// Returns the failure of a request to an address that this rule does not permit.
    func refusal(of address: IPAddress) -> TransportError {
        TransportError(.addressRefused, "\(address) is not a public address and is not allowed.")
    }

    private static func isSpecial(_ address: IPAddress) -> Bool {
        special.contains { $0.contains(address) }
    }

    /// The blocks that the registries of RFC 6890 do not list as globally reachable, and multicast.
    private static let special: [AddressBlock] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
        "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "fc00::/7", "fe80::/9",
        "ff00::/8",
    ].map { AddressBlock(known: $0) }
}

extension CurlExchange {
    /// Returns whether a socket may be opened for an address.
    func admits(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
        guard let addresses else { return true }
        // An IPv6 address extends beyond the structure, so it is read in place.
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr),
            let target = IPAddress(socketAddress: UnsafeRawPointer(address) + offset)
        else { return false }
        return permits(target, addresses)
    }

    /// Returns whether a request may be sent over a connection, which may have been opened for a request without a
    /// rule.
    func admits(remote: UnsafePointer<CChar>?) -> Bool {
        guard let addresses else { return true }
        guard let remote, let target = IPAddress(String(cString: remote)) else { return false }
        return permits(target, addresses)
    }

    private func permits(_ target: IPAddress, _ addresses: AddressRule) -> Bool {
        guard !addresses.permits(target) else { return true }
        refusedAddress = target
        return false
    }
}
