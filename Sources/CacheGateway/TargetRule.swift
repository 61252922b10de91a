import HTTPServing
import HTTPTypes

/// Whose requests the gateway takes: for its one origin, or for any.
struct TargetRule: Sendable {
    /// What a request's target comes to.
    enum Outcome {
        case url(String)
        case refused(Int, String)
    }
    /// Scheme and authority; `nil` where there is none and only absolute targets are taken.
    let origin: String?
    /// Whether absolute targets go where they say.
    let forwards: Bool
    /// The names of this gateway, lower case: an absolute target of any other is somebody else's.
    let ownAuthorities: Set<String>

    func url(of request: StreamRequest, _ method: HTTPRequest.Method) -> Outcome {
        if method == .connect { return .refused(501, "CONNECT is not supported.") }
        let target = String(decoding: request.target, as: UTF8.self)
        if target.hasPrefix("/") { return originForm(target) }
        if target == "*" { return asterisk(method) }
        guard let colon = target.firstIndex(of: ":"), target[colon...].hasPrefix("://") else {
            return .refused(400, "The request target is neither a path nor an absolute URI.")
        }
        return absoluteForm(target, afterScheme: target[colon...].dropFirst(3))
    }

    private func originForm(_ target: String) -> Outcome {
        guard let origin else {
            return .refused(400, "This is a forward proxy: the request target has to be an absolute URI.")
        }
        return .url(origin + target)
    }

    private func asterisk(_ method: HTTPRequest.Method) -> Outcome {
        guard method == .options else { return .refused(400, "Only OPTIONS has the target \"*\".") }
        guard let origin else { return .refused(501, "This proxy has no options of its own.") }
        // RFC 9110 §9.3.7: nearest to asking about the server is asking about its root.
        return .url(origin + "/")
    }

    private func absoluteForm(_ target: String, afterScheme rest: Substring) -> Outcome {
        if forwards { return .url(target) }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        // RFC 9110 §7.4: a request for somebody else is misdirected.
        guard let origin, ownAuthorities.contains(rest[..<end].lowercased()) else {
            return .refused(421, "This gateway does not answer for that host.")
        }
        let path = rest[end...]
        return .url(origin + (path.hasPrefix("/") ? "" : "/") + path)
    }
}
