import LocatedYAML

/// The trust policy of a scenario's built-in client for TLS; see scenarios/README.md §3.1.
package struct TrustSettings: Sendable, Hashable {
    /// The authorities that can be trusted.
    package enum Authority: String, Sendable, Hashable, CaseIterable {
        /// The authority that signs valid certificates.
        case origin
        /// The authorities of this machine.
        case system
        /// The origin's certificate itself.
        case certificate
    }
    /// A key or certificate that the origin's is compared with.
    package enum Pin: String, Sendable, Hashable, CaseIterable {
        /// The origin's own.
        case origin
        /// The authority's, which is not the origin's.
        case other
        /// The authority's, then the origin's own.
        case either
    }
    /// The certificate that the client sends on request.
    package enum Identity: String, Sendable, Hashable, CaseIterable {
        /// No certificate.
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
    /// The trusted authority; default the one that signs valid certificates.
    package var authority = Authority.origin
    /// Whether the chain is verified.
    package var verifiesChain = true
    /// Whether the host name is checked.
    package var checksHostName = true
    /// The pinned public key; `nil` if there is none.
    package var publicKey: Pin?
    /// The pinned certificate; `nil` if there is none.
    package var certificate: Pin?
    /// The certificate that the client sends; default none.
    package var identity = Identity.none

    /// Creates the default settings.
    package init() {}

    /// Decodes a map of settings; settings that are not given keep their defaults.
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
