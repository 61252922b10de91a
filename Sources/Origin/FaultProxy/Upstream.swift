import HTTPServing
import Locks
import Threads
import WireSyntax

/// The server behind a proxy.
public struct Upstream: Sendable, Hashable, CustomStringConvertible {
    /// Host name or numeric address.
    public let host: String
    /// Port.
    public let port: UInt16
    /// Host and port as in a URL.
    public let authority: String

    /// Reads `http://HOST[:PORT]`; `nil` for anything else, including a path.
    public init?(url: String) {
        guard let parts = URLParts(url), parts.scheme == "http", parts.target == "/" else { return nil }
        self.init(authority: parts.authority, defaultPort: 80)
    }

    /// Reads `HOST:PORT`; `nil` for anything else.
    public init?(authority: String, defaultPort: UInt16? = nil) {
        guard !authority.contains("@") else { return nil }
        var host = authority[...]
        var port = defaultPort
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[end...].lastIndex(of: ":") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else {
                return nil
            }
            (host, port) = (authority[..<colon], number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, let port else { return nil }
        (self.host, self.port, self.authority) = (String(host), port, authority)
    }

    /// The authority.
    public var description: String { authority }
}

/// Connects to an upstream and remembers its addresses.
final class UpstreamConnector: Sendable {
    let upstream: Upstream
    private let known = Lock<[PeerAddress]>([])

    init(_ upstream: Upstream) { self.upstream = upstream }

    /// Connects; asks for the addresses of the host at first, and again after a failure.
    func connect(on loop: DuplexLoop) async throws(ConnectFailure) -> DuplexStream {
        var addresses = known.withLock { $0 }
        if addresses.isEmpty {
            let found = try await resolve()
            known.withLock { $0 = found }
            addresses = found
        }
        do throws(ConnectFailure) {
            return try await DuplexStream.connect(to: addresses, on: loop)
        } catch {
            known.withLock { $0 = [] }
            throw error
        }
    }

    /// Asks on a thread of its own: the system's functions block.
    private func resolve() async throws(ConnectFailure) -> [PeerAddress] {
        let (host, port) = (upstream.host, upstream.port)
        let result = await withUnsafeContinuation { continuation in
            SystemThread {
                continuation.resume(
                    returning: Result { () throws(ConnectFailure) in
                        try PeerAddress.resolve(host, port: port)
                    }
                )
            }.detach()
        }
        return try result.get()
    }
}
