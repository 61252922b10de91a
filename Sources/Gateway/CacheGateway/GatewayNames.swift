/// The names by which clients may address the gateway itself, or its origin, in absolute targets.
struct GatewayNames: Sendable {
    /// Host and port in lower case, without the default port.
    private let authorities: Set<String>
    /// Hosts whose port may be any, because the system chooses it.
    private let hosts: Set<String>

    init(_ configuration: Gateway.Configuration) {
        let port = configuration.publicPort ?? configuration.server.port
        let own = ["localhost", "127.0.0.1", "[::1]", configuration.server.address]
        var names = configuration.hostNames
        if let port { names += own.map { "\($0):\(port)" } }
        if let origin = configuration.mode.origin, let start = origin.firstIndex(of: ":") {
            names.append(String(origin[start...].dropFirst(3)))
        }
        authorities = Set(names.map { Self.withoutDefaultPort($0.lowercased()) })
        hosts = port == nil ? Set(own.map { $0.lowercased() }) : []
    }

    /// Returns whether one of the names is this authority of the scheme `http`.
    func contain(_ authority: Substring) -> Bool {
        let name = Self.withoutDefaultPort(authority.lowercased())
        return authorities.contains(name) || hosts.contains(Self.host(of: name))
    }

    /// RFC 9110 §4.2.3: a default port is the same as none.
    private static func withoutDefaultPort(_ authority: String) -> String {
        authority.hasSuffix(":80") ? String(authority.dropLast(3)) : authority
    }

    private static func host(of authority: String) -> String {
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        return String(authority[..<(authority[end...].firstIndex(of: ":") ?? authority.endIndex)])
    }
}
