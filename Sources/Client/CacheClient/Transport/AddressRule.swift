import Addresses
import Ccurl

extension AddressRule {
    /// Returns the failure of a request to an address that this rule does not permit.
    func refusal(of address: IPAddress) -> TransportError {
        TransportError(.addressRefused, "\(address) is not a public address and is not allowed.")
    }
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
