import Certificates
import Clocks
import HTTPServing
import Locks
import OriginScript
import TestSupport
import Testing

@testable import FaultProxy

@Suite("TLS that a forward proxy terminates", .timeLimit(.minutes(20)), .blocking)
struct InterceptionTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
    private static let request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    private static func origin() throws -> TLSOrigin {
        try TLSOrigin { connection in
            if connection.readHead() != nil { connection.send(answer) }
        }
    }

    /// Returns a proxy that terminates the TLS of these hosts by its own authority, and the file of that one.
    private func stage(
        _ hosts: String...,
        faults: String = "",
        trust: String? = nil,
        replacement: Int? = nil,
        configure: (inout FaultProxy.Configuration) -> Void = { _ in }
    ) throws -> (ForwardStage, TestFolder, String) {
        let authority = try CertificateAuthority(now: SystemClock().timeSinceEpoch)
        let folder = try TestFolder()
        let path = try folder.write("own.pem", try authority.identity.certificate.pem())
        let patterns = try hosts.map { try #require(HostPattern($0)) }
        let stage = try ForwardStage(
            faults,
            interception: Interception(of: patterns, authority: authority),
            replacement: replacement.flatMap { Upstream(authority: "127.0.0.1:\($0)") }
        ) { configuration in
            if let trust { configuration.upstreamTrust.authorities = .file(trust) }
            configure(&configuration)
        }
        return (stage, folder, path)
    }

    @Test(
        "Requests within terminated TLS pass, and the certificate is valid for the host",
        arguments: ["localhost", "127.0.0.1"]
    )
    func passes(_ host: String) async throws {
        let origin = try Self.origin()
        defer { origin.stop() }
        let (stage, folder, own) = try stage(host, trust: origin.trust)
        defer { stage.proxy.stop() }
        let client = TunnelClient(
            proxy: stage.proxy.port,
            authority: "\(host):\(origin.front.port ?? 0)",
            trust: own
        )
        #expect(try await client.exchange(Self.request) == Self.answer)
        #expect(try await client.exchange(Self.request) == Self.answer)
        #expect(stage.proxy.journal.first?.target == "https://\(host):\(origin.front.port ?? 0)/a")
        withExtendedLifetime(folder) {}
    }

    @Test("Faults of requests apply within terminated TLS")
    func faults() async throws {
        let origin = try Self.origin()
        defer { origin.stop() }
        let (stage, folder, own) = try stage("*", faults: "close@body:2 path=/a", trust: origin.trust)
        defer { stage.proxy.stop() }
        let client = TunnelClient(
            proxy: stage.proxy.port,
            authority: "localhost:\(origin.front.port ?? 0)",
            trust: own
        )
        #expect(try await client.exchange(Self.request) == String(Self.answer.dropLast(3)))
        #expect(stage.proxy.journal.map(\.injected) == [["close@body:2"]])
        withExtendedLifetime(folder) {}
    }

    @Test("Requests within terminated TLS are recorded as those of https")
    func records() async throws {
        let origin = try Self.origin()
        defer { origin.stop() }
        let (events, sink) = AsyncStream.makeStream(of: RecordedEvent.self)
        let (stage, folder, own) = try stage("localhost", trust: origin.trust) {
            $0.onExchange = { sink.yield($0) }
        }
        defer { stage.proxy.stop() }
        let client = TunnelClient(
            proxy: stage.proxy.port,
            authority: "localhost:\(origin.front.port ?? 0)",
            trust: own
        )
        #expect(try await client.exchange(Self.request) == Self.answer)
        var all = events.makeAsyncIterator()
        guard case .exchange(let exchange)? = await all.next() else {
            Issue.record("it is not recorded")
            return
        }
        #expect(exchange.origin == "https://localhost:\(origin.front.port ?? 0)")
        #expect((exchange.target, exchange.response.body) == ("/a", Array("hello".utf8)))
        withExtendedLifetime(folder) {}
    }

    @Test("Requests within terminated TLS reach, without TLS, the server that takes the place of all")
    func replaced() async throws {
        let origin = ScriptedServer { connection in
            if connection.readHead() != nil { connection.send(Self.answer) }
        }
        defer { origin.stop() }
        let (stage, folder, own) = try stage("*", replacement: origin.port)
        defer { stage.proxy.stop() }
        let client = TunnelClient(proxy: stage.proxy.port, authority: "nowhere.invalid:443", trust: own)
        #expect(try await client.exchange(Self.request) == Self.answer)
        withExtendedLifetime(folder) {}
    }

    @Test("The TLS of other hosts passes through, and the server's own certificate with it")
    func passesThrough() async throws {
        let origin = try Self.origin()
        defer { origin.stop() }
        let (stage, folder, own) = try stage("other.example", trust: origin.trust)
        defer { stage.proxy.stop() }
        let authority = "localhost:\(origin.front.port ?? 0)"
        let trusting = TunnelClient(proxy: stage.proxy.port, authority: authority, trust: origin.trust)
        #expect(try await trusting.exchange(Self.request) == Self.answer)
        let other = TunnelClient(proxy: stage.proxy.port, authority: authority, trust: own)
        #expect(try await other.exchange(Self.request).hasPrefix("TLS: "))
        withExtendedLifetime(folder) {}
    }

    @Test("A server whose certificate is not valid is 502 before the tunnel, with the cause")
    func refuses() async throws {
        let origin = try Self.origin()
        defer { origin.stop() }
        let (stage, folder, own) = try stage("localhost", trust: nil)
        defer { stage.proxy.stop() }
        let client = TunnelClient(
            proxy: stage.proxy.port,
            authority: "localhost:\(origin.front.port ?? 0)",
            trust: own
        )
        let answer = try await client.exchange(Self.request)
        #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(answer.contains("TLS: "))
        #expect(stage.proxy.journal.first?.cause?.contains("TLS: ") == true)
        withExtendedLifetime(folder) {}
    }

    @Test(
        "A pattern is a host, all hosts below a domain, or all",
        arguments: [
            ("example.com", "EXAMPLE.com", true), ("example.com", "www.example.com", false),
            ("*.example.com", "www.example.com", true), ("*.example.com", "a.b.example.com", true),
            ("*.example.com", "example.com", false), ("*.example.com", "badexample.com", false),
            ("*", "anything", true), ("127.0.0.1", "127.0.0.1", true),
        ]
    )
    func patterns(_ pattern: String, _ host: String, _ matches: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(host) == matches)
    }

    @Test(
        "A pattern that is not a host is rejected",
        arguments: ["", "*.", "a*", "http://a", "a/b", "a b", "**"]
    )
    func badPatterns(_ text: String) { #expect(HostPattern(text) == nil) }
}
