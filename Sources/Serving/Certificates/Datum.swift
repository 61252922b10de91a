package import Cgnutls

/// Conversions between GnuTLS's memory blocks and bytes.
package enum Datum {
    /// Returns the bytes that `fill` allocates, and frees them.
    static func bytes(
        _ what: String,
        _ fill: (UnsafeMutablePointer<gnutls_datum_t>) -> CInt
    ) throws(CertificateError) -> [UInt8] {
        var datum = gnutls_datum_t()
        try CertificateError.check(what, fill(&datum))
        defer { cachecheck_gnutls_free(datum.data) }
        return Array(UnsafeBufferPointer(start: datum.data, count: Int(datum.size)))
    }

    /// Provides bytes for the duration of a call.
    package static func lend<Result>(
        _ bytes: [UInt8],
        _ body: (UnsafePointer<gnutls_datum_t>) -> Result
    ) -> Result {
        var bytes = bytes
        return bytes.withUnsafeMutableBufferPointer { buffer in
            var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(clamping: buffer.count))
            return body(&datum)
        }
    }
}

extension String {
    /// Creates a datum with the text of PEM, or of other ASCII.
    init(pem bytes: [UInt8]) {
        self.init(decoding: bytes, as: UTF8.self)
    }
}
