public import Addresses
public import Certificates

/// The hosts that a forward proxy may connect to, and those whose TLS it terminates.
public struct Forwarding: Sendable {
    /// Blocks of addresses that are not public and may be connected to; default none.
    public var allowedAddresses: [AddressBlock] = []
    /// The hosts whose TLS is terminated; `nil`, the default, is none, so that all TLS passes through.
    public var interception: Interception?
    /// A server without TLS that gets all requests and tunnels in place of those that requests name; default none.
    public var replacement: Upstream?

    /// Creates the forwarding to public addresses, without interception.
    public init() {}
}

/// The hosts whose TLS a forward proxy terminates, and the authority that signs the certificates for them.
public struct Interception: Sendable {
    /// The hosts whose TLS is terminated.
    public var hosts: [HostPattern]
    /// The authority, which clients have to trust.
    public var authority: CertificateAuthority
    /// Called on any thread with the reason of a failed handshake; default does nothing.
    public var onFailure: (@Sendable (String) -> Void)?

    /// Creates the interception of some hosts.
    public init(of hosts: [HostPattern], authority: CertificateAuthority) {
        (self.hosts, self.authority) = (hosts, authority)
    }

    /// Returns whether the TLS with a server is terminated; port 80 is not one of TLS.
    func covers(_ server: Upstream) -> Bool {
        server.port != 80 && hosts.contains { $0.matches(server.host) }
    }
}

/// A host, all hosts below a domain, or all hosts.
public struct HostPattern: Sendable, Hashable {
    private let text: String

    /// Reads `example.com`, `*.example.com`, `127.0.0.1` or `*`; `nil` for anything else.
    public init?(_ text: String) {
        let name = text == "*" ? "" : text.hasPrefix("*.") ? String(text.dropFirst(2)) : text
        let isName = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"*/@?#".utf8.contains($0) }
        guard isName, text == "*" || !name.isEmpty else { return nil }
        self.text = text.lowercased()
    }

    func matches(_ host: String) -> Bool {
        if text == "*" { return true }
        let host = host.lowercased()
        return text.hasPrefix("*.") ? host.hasSuffix(text.dropFirst()) : host == text
    }
}
