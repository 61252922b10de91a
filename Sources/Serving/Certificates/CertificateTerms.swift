/// The content of a certificate.
public struct CertificateTerms: Sendable, Hashable {
    /// The purpose of the key.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Purpose: Sendable, Hashable {
        /// Signing other certificates.
        case authority
        /// Server authentication.
        case server
        /// Client authentication.
        case client
    }
    /// The subject's common name.
    public var name: String
    /// Host names of the subject; empty for none.
    public var hosts: [String]
    /// IPv4 and IPv6 addresses of the subject, four or sixteen bytes each.
    public var addresses: [[UInt8]]
    /// The purpose of its key.
    public var purpose: Purpose
    /// The beginning and the end of its validity, in time since 1970-01-01T00:00:00Z; fractions of seconds are ignored.
    public var validity: ClosedRange<Duration>

    /// Creates terms; by default without host names and addresses.
    public init(
        name: String,
        hosts: [String] = [],
        addresses: [[UInt8]] = [],
        purpose: Purpose,
        validity: ClosedRange<Duration>
    ) {
        self.name = name
        self.hosts = hosts
        self.addresses = addresses
        self.purpose = purpose
        self.validity = validity
    }

    /// Returns the terms of a server of this machine: `localhost`, 127.0.0.1 and ::1.
    public static func localServer(name: String, validity: ClosedRange<Duration>) -> CertificateTerms {
        CertificateTerms(
            name: name,
            hosts: ["localhost"],
            addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]],
            purpose: .server,
            validity: validity
        )
    }
}
