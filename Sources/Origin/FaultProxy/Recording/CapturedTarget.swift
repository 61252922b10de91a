import WireSyntax

/// Origin and target of a request as they are recorded.
struct CapturedTarget {
    /// Scheme and authority; empty if the target is an authority.
    let origin: String
    /// Path and query, `*` or an authority.
    let target: String

    /// Reads the target of a request; `origin` is that of targets that name none.
    init(of request: ProxiedRequestHead, otherwise origin: String) {
        // RFC 9112 §3.2.3: the target of CONNECT is the server itself.
        guard request.method != "CONNECT" else {
            (self.origin, target) = ("", request.target)
            return
        }
        guard let parts = URLParts(request.target), parts.isHTTP else {
            (self.origin, target) = (origin, request.target)
            return
        }
        // User information belongs to neither.
        let authority = parts.authority.split(separator: "@").last ?? ""
        self.origin = "\(parts.scheme)://\(authority)"
        target = RequestDestination.target(of: request, parts)
    }
}
