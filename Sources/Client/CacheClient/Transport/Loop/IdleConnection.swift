import CLibrary

/// A connection that waits for its next exchange.
enum IdleConnection {
    /// Whether nothing has arrived on a connection since its last response, so that it may carry another exchange.
    ///
    /// What a server sends without a request must not be taken for a response (RFC 9112 §6.3 and §9.2), but libcurl 7.88
    /// uses a connection that has received such bytes.
    static func isClean(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }
}
