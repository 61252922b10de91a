import Cgnutls

/// A failure to create, read or store a certificate or key.
public struct CertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence: what failed and why.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Creates an error from the code of a failed call of GnuTLS.
    init(_ what: String, code: CInt) {
        let reason = gnutls_strerror(code).map { String(cString: $0) } ?? "code \(code)"
        self.init("\(what): \(reason)")
    }

    /// Throws unless a call succeeded.
    static func check(_ what: String, _ code: CInt) throws(CertificateError) {
        if code < 0 { throw CertificateError(what, code: code) }
    }
}
