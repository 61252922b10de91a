/// A failure to start a server.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address is not a numeric IPv4 or IPv6 address.
    case badAddress(String)
    /// The number is not one of a port, 1 to 65,535.
    case badPort(Int)
    /// Another process listens on the port.
    case portInUse(address: String, port: Int)
    /// A system call failed for the given reason.
    case system(call: String, reason: String)
    /// The certificate or key cannot be used for TLS, for the given reason.
    case tls(reason: String)
    /// libmicrohttpd did not start.
    case daemon
    /// The server has been started before, and not stopped since.
    case alreadyStarted
    /// The server has not been started, or has been stopped since.
    case notStarted
    /// The origin of a proxy is not the scheme and authority of an http or https URL.
    case badOrigin(String)
    /// The upstream of a proxy is the proxy itself.
    case ownUpstream(String)
    /// The path of a site is not that of a folder.
    case notAFolder(String)

    /// One sentence: what failed and what can be done.
    public var description: String {
        switch self {
        case .badAddress(let address): "cannot listen on \(address): not an IPv4 or IPv6 address"
        case .badPort(let port): "cannot listen on port \(port): expected a number from 1 to 65535"
        case .portInUse(let address, let port):
            "cannot listen on \(address):\(port): the port is in use; choose another"
        case .system(let call, let reason): "cannot start the server: \(call): \(reason)"
        case .tls(let reason): "cannot start the server: TLS: \(reason)"
        case .daemon: "cannot start the server: libmicrohttpd refused"
        case .alreadyStarted: "cannot start the server: it is already started"
        case .notStarted: "cannot start the control API: its server is not running"
        case .badOrigin(let origin):
            "cannot serve the origin \"\(origin)\": expected http://HOST[:PORT] or https://HOST[:PORT]"
        case .ownUpstream(let authority):
            "cannot serve the upstream \(authority): found the proxy itself, expected another server"
        case .notAFolder(let path): "cannot serve \"\(path)\": expected a folder"
        }
    }
}
