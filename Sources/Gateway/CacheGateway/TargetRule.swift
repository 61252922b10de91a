import CacheClient
import HTTPServing
import HTTPTypes

/// Whose requests the gateway takes: for its one origin, or for any.
struct TargetRule: Sendable {
    /// What a request's target comes to.
    enum Outcome {
        case goes(Destination)
        case refused(Int, String)
    }
    /// Where a request goes.
    enum Destination {
        /// A URL of the origin's.
        case origin(String)
        /// A URL of anybody's, whose path and query go out as they are (RFC 9110 §7.7).
        case anybody(String)
        /// A server as a whole, by scheme and authority (RFC 9110 §9.3.7).
        case server(String, isOrigin: Bool)
    }
    /// Scheme and authority; `nil` where there is none and only absolute targets are taken.
    let origin: String?
    /// Whether absolute targets go where they say.
    let forwards: Bool
    /// Which addresses absolute targets may lead to.
    let addresses: AddressRule
    /// The names of this gateway, lower case: an absolute target of any other is somebody else's.
    let ownAuthorities: Set<String>
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
        guard let origin else {
            return .refused(400, "This is a forward proxy: the request target has to be an absolute URI.")
        }
        return .goes(.origin(origin + target))
    }

    private func asterisk(_ method: HTTPRequest.Method) -> Outcome {
        guard method == .options else { return .refused(400, "Only OPTIONS has the target \"*\".") }
        guard let origin else { return .refused(501, "This proxy has no options of its own.") }
        return .goes(.server(origin, isOrigin: true))
    }

    /// Scheme and authority in lower case, without a port that the scheme has anyway (RFC 9110 §4.2.3).
    private static func withoutDefaultPort(_ server: String) -> String {
        let server = server.lowercased()
        let suffix = server.hasPrefix("https:") ? ":443" : ":80"
        return server.hasSuffix(suffix) ? String(server.dropLast(suffix.count)) : server
    }

    private func absoluteForm(_ target: String, afterScheme rest: Substring, _ method: HTTPRequest.Method)
        -> Outcome
    {
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let server = String(target[..<end])
        // RFC 9112 §3.2.4: without a path OPTIONS asks about the server.
        let isOfServer = method == .options && end == rest.endIndex
        let isOrigin = origin.map { Self.withoutDefaultPort($0) == Self.withoutDefaultPort(server) } ?? false
        if forwards, !isOrigin {
            return .goes(isOfServer ? .server(server, isOrigin: false) : .anybody(target))
        }
        // RFC 9110 §7.4: a request for somebody else is misdirected.
        guard let origin, isOrigin || ownAuthorities.contains(rest[..<end].lowercased()) else {
            return .refused(421, "This gateway does not answer for that host.")
        }
        if isOfServer { return .goes(.server(origin, isOrigin: true)) }
        let path = rest[end...]
        return .goes(.origin(origin + (path.hasPrefix("/") ? "" : "/") + path))
    }
}
