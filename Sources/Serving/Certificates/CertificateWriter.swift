import CLibrary
import Cgnutls

/// Sets the content of a certificate before it is signed.
struct CertificateWriter {
    let handle: gnutls_x509_crt_t

    func write(_ terms: CertificateTerms, _ key: PrivateKey) throws(CertificateError) {
        try check(gnutls_x509_crt_set_version(handle, 3))
        try writeSerial()
        let (begin, end) = (terms.validity.lowerBound.components, terms.validity.upperBound.components)
        try check(gnutls_x509_crt_set_activation_time(handle, time_t(begin.seconds)))
        try check(gnutls_x509_crt_set_expiration_time(handle, time_t(end.seconds)))
        let name = Array(terms.name.utf8)
        try check(
            gnutls_x509_crt_set_dn_by_oid(handle, Self.commonName, 0, name, UInt32(clamping: name.count))
        )
        try check(gnutls_x509_crt_set_key(handle, key.handle))
        try writeNames(terms)
        try writePurpose(terms.purpose)
        try writeKeyIdentifier()
    }

    /// Writes a serial number: a positive number, unique for the issuer (RFC 5280 §4.1.2.2).
    private func writeSerial() throws(CertificateError) {
        var serial = [UInt8](repeating: 0, count: 16)
        try check(gnutls_rnd(GNUTLS_RND_NONCE, &serial, serial.count))
        serial[0] = serial[0] & 0x7F | 0x40
        try check(gnutls_x509_crt_set_serial(handle, serial, serial.count))
    }

    private func writeNames(_ terms: CertificateTerms) throws(CertificateError) {
        for host in terms.hosts { try writeName(GNUTLS_SAN_DNSNAME, Array(host.utf8)) }
        for address in terms.addresses { try writeName(GNUTLS_SAN_IPADDRESS, address) }
    }

    private func writeName(
        _ kind: gnutls_x509_subject_alt_name_t,
        _ bytes: [UInt8]
    ) throws(CertificateError) {
        let count = UInt32(clamping: bytes.count)
        try check(gnutls_x509_crt_set_subject_alt_name(handle, kind, bytes, count, Self.append))
    }

    private func writePurpose(_ purpose: CertificateTerms.Purpose) throws(CertificateError) {
        let isAuthority = purpose == .authority
        try check(gnutls_x509_crt_set_basic_constraints(handle, isAuthority ? 1 : 0, -1))
        let usage = isAuthority ? GNUTLS_KEY_KEY_CERT_SIGN : GNUTLS_KEY_DIGITAL_SIGNATURE
        try check(gnutls_x509_crt_set_key_usage(handle, UInt32(usage)))
        switch purpose {
        case .authority: break
        case .server: try check(gnutls_x509_crt_set_key_purpose_oid(handle, Self.serverPurpose, 0))
        case .client: try check(gnutls_x509_crt_set_key_purpose_oid(handle, Self.clientPurpose, 0))
        }
    }

    private func writeKeyIdentifier() throws(CertificateError) {
        var identifier = [UInt8](repeating: 0, count: 20)
        var count = identifier.count
        try check(gnutls_x509_crt_get_key_id(handle, 0, &identifier, &count))
        try check(gnutls_x509_crt_set_subject_key_id(handle, identifier, count))
    }

    private func check(_ code: CInt) throws(CertificateError) {
        try CertificateError.check("a certificate cannot be created", code)
    }

    private static let commonName = "2.5.4.3"
    private static let serverPurpose = "1.3.6.1.5.5.7.3.1"
    private static let clientPurpose = "1.3.6.1.5.5.7.3.2"
    private static let append = UInt32(GNUTLS_FSAN_APPEND)
}
