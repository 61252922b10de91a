import Addresses
import CacheClient
import HTTPServing
import HTTPTypes

/// The requests that the gateway accepts: those for its one origin, or for any.
struct TargetRule: Sendable {
    /// The handling of a request's target.
    enum Outcome {
        case goes(Destination)
        case refused(Int, String)
    }
    /// The destination of a request.
    enum Destination {
        /// A URL of the origin.
        case origin(String)
        /// A URL of another server, whose path and query are forwarded unchanged (RFC 9110 §7.7).
        case anybody(String)
        /// A server as a whole, by scheme and authority (RFC 9110 §9.3.7).
        case server(String, isOrigin: Bool)

        /// Whether it is the gateway's own origin.
        var isOrigin: Bool {
            switch self {
            case .origin: true
            case .anybody: false
            case .server(_, let isOrigin): isOrigin
            }
        }
    }
    /// The origin, and whether absolute targets are forwarded to the servers that they name.
    let mode: ProxyMode
    /// The permitted addresses for absolute targets.
    let addresses: AddressRule
    /// The names of this gateway; an absolute target with any other name is for another server.
    let names: GatewayNames
    /// The fields of proxies that callers may send, because they are part of the key.
    let passedFields: Set<HTTPField.Name>

    func outcome(of request: StreamRequest, _ method: HTTPRequest.Method) -> Outcome {
        if method == .connect { return .refused(501, "CONNECT is not supported.") }
        let target = String(decoding: request.target, as: UTF8.self)
        if target.hasPrefix("/") { return originForm(target) }
        if target == "*" { return asterisk(method) }
        guard let colon = target.firstIndex(of: ":"), target[colon...].hasPrefix("://") else {
            return .refused(400, "The request target is neither a path nor an absolute URI.")
        }
        return absoluteForm(target, afterScheme: target[colon...].dropFirst(3), method)
    }

    private func originForm(_ target: String) -> Outcome {
        guard let origin = mode.origin else {
            return .refused(400, "This is a forward proxy: the request target has to be an absolute URI.")
        }
        return .goes(.origin(origin + target))
    }

    private func asterisk(_ method: HTTPRequest.Method) -> Outcome {
        guard method == .options else { return .refused(400, "Only OPTIONS may have the target \"*\".") }
        guard let origin = mode.origin else {
            return .refused(501, "This proxy does not answer OPTIONS itself.")
        }
        return .goes(.server(origin, isOrigin: true))
    }

    /// Returns scheme and authority in lower case, without the scheme's default port (RFC 9110 §4.2.3).
    static func withoutDefaultPort(_ server: String) -> String {
        let server = server.lowercased()
        let suffix = server.hasPrefix("https:") ? ":443" : ":80"
        return server.hasSuffix(suffix) ? String(server.dropLast(suffix.count)) : server
    }

    private func absoluteForm(_ target: String, afterScheme rest: Substring, _ method: HTTPRequest.Method)
        -> Outcome
    {
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let server = String(target[..<end])
        // RFC 9112 §3.2.4: OPTIONS without a path is about the server.
        let isOfServer = method == .options && end == rest.endIndex
        let isOrigin =
            mode.origin.map { Self.withoutDefaultPort($0) == Self.withoutDefaultPort(server) } ?? false
        if mode.forwards, !isOrigin {
            return .goes(isOfServer ? .server(server, isOrigin: false) : .anybody(target))
        }
        // RFC 9110 §7.4: a request for another server, or for a scheme other than that of the connection, is misdirected.
        guard server.lowercased().hasPrefix("http://") else {
            return .refused(421, "This gateway serves http alone, not https or another scheme.")
        }
        guard let origin = mode.origin, isOrigin || names.contains(server) else {
            return .refused(421, "This gateway does not serve that host.")
        }
        if isOfServer { return .goes(.server(origin, isOrigin: true)) }
        let path = rest[end...]
        return .goes(.origin(origin + (path.hasPrefix("/") ? "" : "/") + path))
    }
}
