import Cgnutls

/// Why a certificate or key could not be made, read or kept.
public struct CertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence that says what failed and why.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// What GnuTLS says about the code of a call that failed.
    init(_ what: String, code: CInt) {
        let reason = gnutls_strerror(code).map { String(cString: $0) } ?? "code \(code)"
        self.init("\(what): \(reason)")
    }

    /// Throws unless a call went well.
    static func check(_ what: String, _ code: CInt) throws(CertificateError) {
        if code < 0 { throw CertificateError(what, code: code) }
    }
}
