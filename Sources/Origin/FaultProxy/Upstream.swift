import Addresses
import Clocks
import HTTPServing
import Locks
import Threads
import WireSyntax

/// The server behind a proxy.
public struct Upstream: Sendable, Hashable, CustomStringConvertible {
    /// Host name or numeric address.
    public let host: String
    /// Port.
    public let port: Int
    /// Host and port as in a URL.
    public let authority: String
    /// Whether it is connected to by TLS.
    public let isTLS: Bool

    /// Reads `http://HOST[:PORT]` or `https://HOST[:PORT]`; `nil` for anything else, including a path.
    public init?(url: String) {
        guard let parts = URLParts(url), parts.isHTTP, parts.target == "/", !url.contains("#") else {
            return nil
        }
        let isTLS = parts.scheme == "https"
        self.init(authority: parts.authority, defaultPort: isTLS ? 443 : 80, isTLS: isTLS)
    }

    /// Reads `HOST:PORT`; `nil` for anything else.
    public init?(authority: String, defaultPort: Int? = nil, isTLS: Bool = false) {
        guard authority.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !authority.contains("@") else {
            return nil
        }
        var (host, port) = (authority[...], defaultPort)
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[end...].lastIndex(of: ":") {
            let digits = authority[authority.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits),
                number > 0
            else { return nil }
            (host, port) = (authority[..<colon], Int(number))
        }
        guard host.hasPrefix("[") == host.hasSuffix("]") else { return nil }
        // In a URL a zone begins with %25 (RFC 6874 §2), and a name has neither `:` nor an encoded character.
        if host.hasPrefix("[") {
            host = host.dropFirst().dropLast().replacing("%25", with: "%")
        } else if host.contains(where: { ":%".contains($0) }) {
            return nil
        }
        guard !host.isEmpty, let port else { return nil }
        (self.host, self.port, self.authority) = (String(host), port, authority)
        self.isTLS = isTLS
    }

    /// Creates a server without TLS at a port of 127.0.0.1.
    init(loopback port: Int) {
        self.init(host: "127.0.0.1", port: port, authority: "127.0.0.1:\(port)", isTLS: false)
    }

    /// The same server, connected to by TLS.
    var overTLS: Upstream { Upstream(host: host, port: port, authority: authority, isTLS: true) }

    private init(host: String, port: Int, authority: String, isTLS: Bool) {
        (self.host, self.port, self.authority, self.isTLS) = (host, port, authority, isTLS)
    }

    /// The authority, as in a URL.
    public var description: String { authority }
}

/// The reason why an upstream is not connected to.
struct UpstreamFailure: Error, Hashable {
    /// The status that the client gets.
    let status: Int
    /// The cause, with the upstream.
    let cause: String
}

/// Connects to an upstream and remembers its addresses.
final class UpstreamConnector: Sendable {
    /// The time limit of a connection to an address, and of a TLS handshake.
    static let limit = Duration.seconds(30)
    let upstream: Upstream
    private let known = Lock<[PeerAddress]>([])
    private let credentials: ProxyCredentials
    /// The addresses that may be connected to; `nil` is all.
    private let rule: AddressRule?
    private let clock: any TimeSource

    init(
        _ upstream: Upstream,
        _ credentials: ProxyCredentials,
        rule: AddressRule? = nil,
        clock: any TimeSource
    ) {
        (self.upstream, self.rule, self.clock) = (upstream, rule, clock)
        self.credentials = credentials
    }

    /// Connects, and performs the handshake with an upstream of TLS.
    ///
    /// Asks for the addresses of the host at first, and again after a failure.
    func connect(on loop: DuplexLoop) async throws(UpstreamFailure) -> DuplexStream {
        let addresses = try await permittedAddresses()
        do throws(ConnectFailure) {
            return try await secured(
                try await DuplexStream.connect(to: addresses, on: loop, within: Self.limit, by: clock)
            )
        } catch {
            known.withLock { $0 = [] }
            throw failure(error)
        }
    }

    private func secured(_ stream: DuplexStream) async throws(ConnectFailure) -> DuplexStream {
        guard upstream.isTLS else { return stream }
        let problem =
            if let own = credentials.upstream {
                await stream.perform(within: Self.limit, by: clock) {
                    await stream.startTLS(own, serverName: upstream.host)
                } ?? "no handshake within \(Self.limit)"
            } else {
                "the proxy has not started"
            }
        guard let problem else { return stream }
        stream.close()
        throw ConnectFailure("TLS: \(problem)")
    }

    private func permittedAddresses() async throws(UpstreamFailure) -> [PeerAddress] {
        let present = known.withLock { $0 }
        if !present.isEmpty { return present }
        let found: [PeerAddress]
        do throws(ConnectFailure) { found = try await resolve() } catch { throw failure(error) }
        let permitted = found.filter { permits($0.host) }
        guard let first = found.first, permitted.isEmpty else {
            known.withLock { $0 = permitted }
            return permitted
        }
        throw UpstreamFailure(
            status: 403,
            cause:
                "\(first.host) is not a public address and is not allowed; --allow ADDRESS/BITS permits others"
        )
    }

    private func permits(_ host: String) -> Bool {
        guard let rule else { return true }
        return IPAddress(host).map { rule.permits($0) } ?? false
    }

    private func failure(_ cause: ConnectFailure) -> UpstreamFailure {
        UpstreamFailure(status: 502, cause: "cannot connect to \(upstream): \(cause)")
    }

    /// Asks on a separate thread: the system's functions block.
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
