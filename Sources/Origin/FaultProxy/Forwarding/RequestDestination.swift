import HTTPServing
import WireSyntax

/// Where a request goes.
struct RequestDestination: Sendable, Hashable {
    /// The reason why a target is not forwarded: a sentence for the client.
    struct Problem: Error, Hashable {
        let text: String
    }
    let server: Upstream
    /// The target for the server; `nil` if it is the one of the request.
    let target: String?
    /// Whether the proxy begins a tunnel to the server in place of passing the request on.
    let isTunnel: Bool

    /// Creates the destination of every request to a reverse proxy.
    init(server: Upstream) { (self.server, target, isTunnel) = (server, nil, false) }

    /// Reads the target of a request to a forward proxy (RFC 9112 §3.2).
    init(_ request: ProxiedRequestHead) throws(Problem) {
        if request.method == "CONNECT" {
            guard let server = Upstream(authority: request.target) else {
                throw Problem(text: "found CONNECT \(request.target), expected CONNECT HOST:PORT")
            }
            (self.server, target, isTunnel) = (server, nil, true)
            return
        }
        let parts = try Self.parts(of: request.target)
        guard let server = Upstream(authority: parts.authority, defaultPort: 80) else {
            throw Problem(text: "found the authority \(parts.authority), expected HOST or HOST:PORT")
        }
        self.server = server
        target = Self.target(of: request, parts)
        isTunnel = false
    }

    /// Returns the target for the server of a request whose own one is a URL with these parts.
    static func target(of request: ProxiedRequestHead, _ parts: URLParts) -> String {
        // RFC 9112 §3.2.4: without a path, OPTIONS is about the whole server.
        let hasPath = request.target.dropFirst("\(parts.scheme)://".count).contains { "/?#".contains($0) }
        return request.method == "OPTIONS" && !hasPath ? "*" : parts.target
    }

    private static func parts(of target: String) throws(Problem) -> URLParts {
        guard let parts = URLParts(target), parts.isHTTP else {
            throw Problem(
                text:
                    "found the target \(target), expected http://HOST/PATH or CONNECT, because this is a forward proxy"
            )
        }
        guard parts.scheme == "http" else {
            throw Problem(text: "found the target \(target), expected CONNECT for https://")
        }
        return parts
    }
}

extension HeadBytes {
    /// Makes the head of a request to a proxy that of one to the server: RFC 9112 §3.2.1 and §3.2.2, and without the fields
    /// that are for the proxy.
    mutating func readdress(to server: Upstream, target: String) {
        let words = startWords
        guard words.count == 3 else { return }
        setStart("\(words[0]) \(target) \(words[2])")
        set(FieldName.host, server.authority)
        for name in ["Proxy-Connection", "Proxy-Authorization"] { remove(name) }
    }
}
