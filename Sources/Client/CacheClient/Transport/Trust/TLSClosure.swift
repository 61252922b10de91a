import Ccurl
import CLibrary

/// Detects whether a server has announced, within TLS, that nothing follows (RFC 8446 §6.1).
///
/// Only OpenSSL has to be asked: with other libraries, libcurl itself fails if the announcement is missing.
enum TLSClosure {
    private typealias GetShutdown = @convention(c) (UnsafeMutableRawPointer?) -> CInt

    /// OpenSSL's own function, which is in this process if libcurl was built with OpenSSL as a separate library.
    private static let getShutdown: GetShutdown? = {
        // Searches the program and all its libraries, as RTLD_DEFAULT does.
        guard let symbol = dlsym(nil, "SSL_get_shutdown") else { return nil }
        return unsafeBitCast(symbol, to: GetShutdown.self)
    }()
    /// `SSL_RECEIVED_SHUTDOWN`.
    private static let received: CInt = 2

    /// Returns whether the alert has arrived on a handle's connection; `nil` if there is no connection, or it is
    /// unknown.
    static func isAnnounced(on easy: EasyHandle) -> Bool? {
        guard let getShutdown, let connection = cachecheck_get_openssl(easy.raw) else { return nil }
        return getShutdown(connection) & received != 0
    }
}
