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

/// Unused ports of this machine.
enum FreePort {
    /// Returns `count` different ports, or fewer if the system does not have as many.
    ///
    /// Another process may take a port first; a program that then cannot start is restarted on other ports.
    static func take(_ count: Int) -> [Int] {
        let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for descriptor in sockets where descriptor >= 0 { close(descriptor) } }
        return sockets.compactMap { Loopback.bindToFreePort($0).map(Int.init) }
    }
}
