import CLibrary
import WireSyntax

/// The host and port of a URL, to check whether a server listens there.
struct SocketTarget: Sendable {
    let text: String
    private let host: String
    private let port: String

    init(url: String) {
        let parts = URLParts(url)
        let authority = (parts?.authority ?? url)[...]
        text = String(authority)
        let isSecure = parts?.scheme == "https"
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            host = Self.bare(authority[..<colon])
            port = String(authority[authority.index(after: colon)...])
        } else {
            host = Self.bare(authority)
            port = isSecure ? "443" : "80"
        }
    }

    /// Whether a connection can be opened; also true if no attempt could be made.
    var isListening: Bool {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &list) == 0, let list else { return true }
        defer { freeaddrinfo(list) }
        for entry in sequence(first: list, next: \.pointee.ai_next) where Self.connects(to: entry.pointee) {
            return true
        }
        return false
    }

    private static func connects(to entry: addrinfo) -> Bool {
        let descriptor = socket(
            entry.ai_family,
            entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
            entry.ai_protocol
        )
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 || errno != ECONNREFUSED
    }

    private static func bare(_ host: Substring) -> String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
