import LocatedYAML

/// Whom the built-in client of a scenario believes over TLS; see scenarios/README.md §3.1.
public struct TrustSettings: Sendable, Hashable {
    /// The authorities that it trusts.
    public enum Authority: String, Sendable, Hashable, CaseIterable {
        /// The one that signs good certificates.
        case origin
        /// This machine's own.
        case system
        /// The origin's certificate itself.
        case certificate
    }
    /// Something that is compared with what the origin has.
    public enum Pin: String, Sendable, Hashable, CaseIterable {
        /// The origin's own.
        case origin
        /// That of the authority, which is not the origin's.
        case other
        /// The other, then the origin's own.
        case either
    }
    /// What the client shows when it is asked.
    public enum Identity: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case none
        /// A certificate of the authority and its key in PEM.
        case pem
        /// The same in PKCS #12.
        case pkcs12
        /// A certificate of another authority.
        case unknownAuthority = "unknown-authority"
        /// A certificate of the authority that has expired.
        case expired
    }
    /// Default the one that signs good certificates.
    public var authority = Authority.origin
    /// Whether the chain is verified.
    public var verifiesChain = true
    /// Whether the host name is checked.
    public var checksHostName = true
    /// Which public key is pinned; `nil` for none.
    public var publicKey: Pin?
    /// Which certificate is pinned; `nil` for none.
    public var certificate: Pin?
    /// What the client shows.
    public var identity = Identity.none

    /// Creates the default settings.
    public init() {}

    /// Reads a map of settings; what is not given keeps its default.
    static var reader: Reader<TrustSettings> {
        Reader { node, problems in
            guard let map = MapReader<TrustKey>(node, problems) else { return nil }
            var settings = TrustSettings()
            map.set(&settings.authority, .authority, Reader<Authority>.choice)
            map.set(&settings.verifiesChain, .verify, .bool)
            map.set(&settings.checksHostName, .hostName, .bool)
            settings.publicKey = map.optional(.publicKey, Reader<Pin>.choice)
            settings.certificate = map.optional(.certificate, Reader<Pin>.choice)
            map.set(&settings.identity, .identity, Reader<Identity>.choice)
            return settings
        }
    }
}

/// The keys of `trust`.
package enum TrustKey: String, MapKey {
    case authority, verify
    case hostName = "host-name"
    case publicKey = "public-key"
    case certificate, identity
    package static let mapName = "trust"
}
