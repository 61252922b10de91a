import Ccurl

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Whether a server has said, within TLS, that nothing follows (RFC 8446 §6.1).
///
/// Only OpenSSL has to be asked: with others libcurl fails by itself where that is missing.
enum TLSClosure {
    private typealias GetShutdown = @convention(c) (UnsafeMutableRawPointer?) -> CInt

    /// OpenSSL's own function, which is in this process where libcurl was built with OpenSSL as a library of its own.
    private static let getShutdown: GetShutdown? = {
        // All that the program and its libraries bring, as RTLD_DEFAULT has it.
        guard let symbol = dlsym(nil, "SSL_get_shutdown") else { return nil }
        return unsafeBitCast(symbol, to: GetShutdown.self)
    }()
    /// `SSL_RECEIVED_SHUTDOWN`.
    private static let received: CInt = 2

    /// Returns whether the alert has come on a handle's connection; `nil` where there is none, or nobody can tell.
    static func isAnnounced(on easy: EasyHandle) -> Bool? {
        guard let getShutdown, let connection = cachecheck_get_openssl(easy.raw) else { return nil }
        return getShutdown(connection) & received != 0
    }
}
