import Addresses
import Certificates
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

/// A forward proxy that may connect to this machine.
struct ForwardStage {
    let proxy: FaultProxy

    init(
        _ faults: String = "",
        rules: String = "",
        allows: Bool = true,
        interception: Interception? = nil,
        replacement: Upstream? = nil,
        configure: (inout FaultProxy.Configuration) -> Void = { _ in }
    ) throws {
        var forwarding = Forwarding()
        if allows {
            forwarding.allowedAddresses = try ["127.0.0.0/8", "::1"].map { try #require(AddressBlock($0)) }
        }
        (forwarding.interception, forwarding.replacement) = (interception, replacement)
        var configuration = FaultProxy.Configuration(forwarding: forwarding)
        configuration.faults.faults = faults.isEmpty ? [] : try Fault.list(text: faults)
        if !rules.isEmpty { configuration.rules = try ProxyRuleFile.decode(rules, path: "rules.yaml") }
        configuration.keepsJournal = true
        configure(&configuration)
        proxy = FaultProxy(configuration)
        try proxy.start()
    }

    func client() throws -> RawClient { try RawClient(port: proxy.port) }

    /// Returns the journal once `isReady` holds for it.
    func journal(_ isReady: ([JournalEntry]) -> Bool) async -> [JournalEntry] {
        while !isReady(proxy.journal) { await Task.yield() }
        return proxy.journal
    }
}

/// A server of TLS in front of an origin, and the file of the authority that has signed its certificate.
struct TLSOrigin {
    let folder: TestFolder
    let authority: CertificateAuthority
    let origin: ScriptedServer
    let front: FaultProxy
    /// The authority's certificate.
    let trust: String

    init(_ script: @escaping @Sendable (ServerConnection) -> Void) throws {
        folder = try TestFolder()
        let now = SystemClock().timeSinceEpoch
        authority = try CertificateAuthority(now: now)
        trust = try folder.write("ca.pem", try authority.identity.certificate.pem())
        origin = ScriptedServer(script)
        let upstream = try #require(Upstream(authority: "127.0.0.1:\(origin.port)"))
        var configuration = FaultProxy.Configuration(upstream: upstream)
        configuration.tls = try TLSCase.good.settings(of: authority, now: now)
        front = FaultProxy(configuration)
        try front.start()
    }

    func stop() {
        front.stop()
        origin.stop()
    }
}

/// A client of TLS within the tunnel of a proxy.
struct TunnelClient: Sendable {
    let proxy: Int?
    /// The server that CONNECT names.
    let authority: String
    /// The file of the trusted authority.
    let trust: String

    /// Sends bytes within TLS and returns what comes until the end; "TLS: …" for a handshake that fails, and the proxy's
    /// response where there is no tunnel.
    func exchange(_ request: String) async throws -> String {
        let loop = try DuplexLoop()
        try loop.start()
        defer { loop.stop() }
        return await withCheckedContinuation { continuation in
            loop.run {
                let text: String
                do { text = try await talk(request, on: loop) } catch { text = "\(error)" }
                continuation.resume(returning: text)
            }
        }
    }

    private func talk(_ request: String, on loop: DuplexLoop) async throws -> String {
        let stream = try await DuplexStream.connect(
            to: try PeerAddress.resolve("127.0.0.1", port: proxy ?? 0),
            on: loop,
            within: .seconds(60),
            by: SystemClock()
        )
        defer { stream.close() }
        let head = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
        _ = await stream.write(Array(head.utf8)[...])
        guard case .bytes(let answer) = await stream.read(4096) else { return "no answer" }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 200 ") else { return text }
        var trust = TLSTrust()
        trust.authorities = .file(self.trust)
        let name = String(authority.prefix { $0 != ":" })
        if let problem = await stream.startTLS(try TLSCredentials(trust), serverName: name) {
            return "TLS: \(problem)"
        }
        _ = await stream.write(Array(request.utf8)[...])
        var received: [UInt8] = []
        while case .bytes(let bytes) = await stream.read(65_536) { received += bytes }
        return String(decoding: received, as: UTF8.self)
    }
}
