extension DocumentRules {
    /// AFSecurityPolicy and TLS.
    static let security = """
        afnetworking.security.server-trust|OK|wire|004:91; 001:145|A certificate that no trusted authority has signed is refused by default, and accepted with its authority.
        afnetworking.security.mutual-tls|OK|wire|004:91|A server that requires a client's certificate refuses a client without one and serves one with a PKCS #12 file.

        """
}
