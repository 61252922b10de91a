/// The names by which clients may address the gateway itself, or its origin, in absolute targets.
struct GatewayNames: Sendable {
    /// `http` URLs of servers in lower case, without the default port.
    private let servers: Set<String>
    /// The same without ports, for a gateway whose port the system chooses.
    private let hosts: Set<String>

    init(_ configuration: Gateway.Configuration) {
        let address = configuration.server.address
        let own = ["localhost", "127.0.0.1", "[::1]", address.contains(":") ? "[\(address)]" : address]
        let port = configuration.publicPort ?? configuration.server.port
        var names = configuration.hostNames
        if let port { names += own.map { "\($0):\(port)" } }
        if let origin = configuration.mode.origin, let start = origin.firstIndex(of: ":") {
            names.append(String(origin[start...].dropFirst(3)))
        }
        servers = Set(names.map { TargetRule.withoutDefaultPort("http://\($0)") })
        hosts = port == nil ? Set(own.map { "http://\($0.lowercased())" }) : []
    }

    /// Whether `server`, a scheme and an authority, is the gateway or its origin.
    func contains(_ server: String) -> Bool {
        let name = TargetRule.withoutDefaultPort(server)
        return servers.contains(name) || hosts.contains(Self.withoutPort(name))
    }

    private static func withoutPort(_ server: String) -> String {
        guard let colon = server.lastIndex(of: ":"), server[colon...].dropFirst().allSatisfy(\.isNumber)
        else {
            return server
        }
        return String(server[..<colon])
    }
}
