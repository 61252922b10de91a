/// What a certificate says.
public struct CertificateTerms: Sendable, Hashable {
    /// What its key may be used for.
    public enum Purpose: Sendable, Hashable {
        /// Signing other certificates.
        case authority
        /// Answering under the names of the certificate.
        case server
        /// Asking a server as the subject.
        case client
    }
    /// The subject's common name.
    public var name: String
    /// Host names that it is for; empty for none.
    public var hosts: [String]
    /// IPv4 and IPv6 addresses that it is for, four or sixteen bytes each.
    public var addresses: [[UInt8]]
    /// What its key is for.
    public var purpose: Purpose
    /// Wall seconds since 1970 of the first and of the last moment at which it is valid.
    public var validity: ClosedRange<Int>

    /// Creates terms; by default for no host and no address.
    public init(
        name: String,
        hosts: [String] = [],
        addresses: [[UInt8]] = [],
        purpose: Purpose,
        validity: ClosedRange<Int>
    ) {
        self.name = name
        self.hosts = hosts
        self.addresses = addresses
        self.purpose = purpose
        self.validity = validity
    }

    /// Terms of a server of this machine: `localhost`, 127.0.0.1 and ::1.
    public static func localServer(name: String, validity: ClosedRange<Int>) -> CertificateTerms {
        CertificateTerms(
            name: name,
            hosts: ["localhost"],
            addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]],
            purpose: .server,
            validity: validity
        )
    }
}
