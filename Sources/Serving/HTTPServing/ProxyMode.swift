import WireSyntax

/// Which requests a proxy forwards, and where.
///
/// A structure and not an enumeration, so that further modes break no program.
public struct ProxyMode: Sendable, Hashable {
    /// Scheme and authority of the origin, such as `https://example.com`; `nil` if there is none.
    public let origin: String?
    /// Whether requests with absolute targets are forwarded to the servers that these name.
    public let forwards: Bool

    /// Returns the mode of a reverse proxy: every request is for one origin, which is a scheme and an authority.
    public static func reverse(origin: String) -> ProxyMode { ProxyMode(origin, forwards: false) }

    /// A forward proxy: each request is for the server that its absolute target names.
    public static let forward = ProxyMode(nil, forwards: true)

    /// Returns the mode of both: a target that is a path is for the origin, an absolute one for the server that it names.
    public static func reverseAndForward(origin: String) -> ProxyMode {
        ProxyMode(origin, forwards: true)
    }

    /// Creates the mode of a command's options; `nil` if neither is given.
    package init?(origin: String?, forwards: Bool) {
        guard origin != nil || forwards else { return nil }
        self.init(origin, forwards: forwards)
    }

    /// Throws `ServerError.badOrigin` if there is an origin that is not the scheme and authority of an http or https URL.
    package func checkOrigin() throws(ServerError) {
        guard let origin else { return }
        guard let parts = URLParts(origin), parts.isHTTP,
            parts.origin.lowercased() == origin.lowercased()
        else { throw .badOrigin(origin) }
    }

    private init(_ origin: String?, forwards: Bool) { (self.origin, self.forwards) = (origin, forwards) }
}
