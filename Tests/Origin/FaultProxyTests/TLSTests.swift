import Certificates
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import TestSupport
import Testing
import TextCodings

@testable import FaultProxy

/// A client without TLS, a proxy that speaks TLS with its upstream, and one that speaks TLS with its clients in front of
/// an origin without it: both sides of TLS between two proxies.
private struct TLSStage {
    let folder: TestFolder
    let origin: ScriptedServer
    let outer: FaultProxy
    let inner: FaultProxy
    let failures: Lock<[String]>

    init(
        _ tlsCase: TLSCase = .good,
        host: String = "127.0.0.1",
        innerFaults: String = "",
        configure: (inout FaultProxy.Configuration) -> Void = { _ in },
        origin script: @escaping @Sendable (ServerConnection) -> Void
    ) throws {
        folder = try TestFolder()
        origin = ScriptedServer(script)
        let now = SystemClock().timeSinceEpoch
        let authority = try CertificateAuthority(now: now)
        let path = try folder.write("ca.pem", try authority.identity.certificate.pem())
        var own = FaultProxy.Configuration(
            upstream: try #require(Upstream(authority: "127.0.0.1:\(origin.port)"))
        )
        let failures = Lock<[String]>([])
        self.failures = failures
        own.tls = try tlsCase.settings(of: authority, now: now)
        own.tls?.onFailure = { reason in failures.withLock { $0.append(reason) } }
        own.faults.faults = innerFaults.isEmpty ? [] : try Fault.list(text: innerFaults)
        inner = FaultProxy(own)
        try inner.start()
        var front = FaultProxy.Configuration(
            upstream: try #require(Upstream(url: "https://\(host):\(inner.port ?? 0)"))
        )
        front.upstreamTrust.authorities = .file(path)
        configure(&front)
        outer = FaultProxy(front)
        try outer.start()
    }

    func client() throws -> RawClient { try RawClient(port: outer.port) }

    /// Sends one request and returns everything up to the end of the connection.
    func response() throws -> String {
        let client = try client()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return String(decoding: try client.readToEnd(), as: UTF8.self)
    }

    func stop() {
        outer.stop()
        inner.stop()
        origin.stop()
    }
}

@Suite("TLS of the proxy", .blocking)
struct TLSTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"

    @Sendable private static func answerOnce(_ connection: ServerConnection) {
        if connection.readHead() != nil { connection.send(answer) }
    }

    @Test("Messages pass through TLS on either side byte for byte", arguments: ["127.0.0.1", "localhost"])
    func passes(_ host: String) throws {
        let stage = try TLSStage(host: host, origin: Self.answerOnce)
        defer { stage.stop() }
        #expect(try stage.response() == Self.answer)
    }

    @Test(
        "A certificate that is not valid for the upstream is 502 with the cause",
        arguments: [
            (TLSCase.expired, "expired"), (.notYetValid, "not yet"), (.selfSigned, "issuer is unknown"),
            (.unknownAuthority, "issuer is unknown"), (.wrongHost, "does not match"),
        ]
    )
    func refuses(_ tlsCase: TLSCase, _ cause: String) throws {
        let stage = try TLSStage(tlsCase, origin: Self.answerOnce)
        defer { stage.stop() }
        let response = try stage.response()
        #expect(response.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(response.contains("TLS: "))
        #expect(response.contains(cause))
        #expect(stage.origin.connections == 0)
    }

    @Test(
        "Without verification any certificate passes",
        arguments: [TLSCase.expired, .selfSigned, .wrongHost]
    )
    func insecure(_ tlsCase: TLSCase) throws {
        let stage = try TLSStage(
            tlsCase,
            configure: { $0.upstreamTrust.verifies = false },
            origin: Self.answerOnce
        )
        defer { stage.stop() }
        #expect(try stage.response() == Self.answer)
    }

    @Test("An upstream that does not speak TLS is 502 with the cause")
    func plainUpstream() throws {
        let origin = ScriptedServer { connection in
            _ = connection.read(count: 1)
            connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        }
        defer { origin.stop() }
        var configuration = FaultProxy.Configuration(
            upstream: try #require(Upstream(url: "https://127.0.0.1:\(origin.port)"))
        )
        configuration.upstreamTrust.verifies = false
        let proxy = FaultProxy(configuration)
        try proxy.start()
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = String(decoding: try client.readToEnd(), as: UTF8.self)
        #expect(response.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(response.contains("TLS: "))
    }

    @Test("A client that does not speak TLS is disconnected, and the reason is reported")
    func plainClient() throws {
        let stage = try TLSStage(origin: Self.answerOnce)
        defer { stage.stop() }
        let client = try RawClient(port: stage.inner.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try? client.readToEnd()
        #expect(stage.failures.withLock { $0.count } == 1)
        #expect(stage.origin.connections == 0)
    }

    @Test("Content of megabytes passes in both directions at once, even if the reader waits")
    func large() throws {
        let count = 3_000_000
        let stage = try TLSStage { connection in
            guard connection.readHead() != nil, let text = connection.read(count: count) else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n\(text)")
            connection.waitForClose()
        }
        defer { stage.stop() }
        let client = try stage.client()
        let content = (0..<count).map { UInt8($0 % 251) & 0x7F }
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n")
        try client.send(String(decoding: content, as: UTF8.self))
        _ = try client.read(through: "\r\n\r\n")
        #expect(try client.read(count: count) == content)
    }

    @Test("A reset within TLS comes after exactly the bytes before it", arguments: [0, 1, 4, 5])
    func resets(_ count: Int) throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        let stage = try TLSStage(innerFaults: "reset@body:\(count)") { connection in
            if connection.readHead() != nil { connection.send(head + "hello") }
            connection.waitForClose()
        }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let expected = Array((head + "hello").utf8.prefix(head.utf8.count + count))
        #expect(try client.ending(after: expected.count) == Ending(bytes: expected, isReset: true))
    }

    @Test(
        "A fault of the handshake comes after that much of the hello",
        arguments: [
            "reset@tls-handshake", "close@tls-handshake:5", "reset@tls-handshake:50%",
            "reset@tls-handshake:60000",
        ]
    )
    func handshake(_ fault: String) throws {
        let stage = try TLSStage(innerFaults: fault, origin: Self.answerOnce)
        defer { stage.stop() }
        let response = try stage.response()
        #expect(response.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(stage.origin.connections == 0)
    }

    @Test("A file without certificates is reported before the proxy listens")
    func badFile() throws {
        let folder = try TestFolder()
        let path = try folder.write("ca.pem", "no certificate")
        var configuration = FaultProxy.Configuration(
            upstream: try #require(Upstream(url: "https://127.0.0.1:1"))
        )
        configuration.upstreamTrust.authorities = .file(path)
        let proxy = FaultProxy(configuration)
        defer { proxy.stop() }
        #expect {
            try proxy.start()
        } throws: { error in
            "\(error)".contains("\(path): found no certificate in PEM")
        }
    }

    @Test(
        "https URLs have port 443 unless they name another",
        arguments: [
            ("https://example.com", "example.com", 443, true),
            ("https://example.com:8443", "example.com", 8443, true),
            ("http://example.com", "example.com", 80, false), ("https://[::1]", "::1", 443, true),
        ]
    )
    func urls(_ url: String, _ host: String, _ port: Int, _ isTLS: Bool) throws {
        let upstream = try #require(Upstream(url: url))
        #expect(upstream.host == host)
        #expect(upstream.port == port)
        #expect(upstream.isTLS == isTLS)
    }
}

@Suite("Handshakes that clients end", .blocking)
struct RejectedHandshakeTests {
    /// The hello of a client by OpenSSL, for TLS 1.3 and localhost.
    private static let hello = Base64.decode(
        """
        FgMBAO4BAADqAwPg866ysuavZpA46hy3tTJmK/hZS3EnOa+d2zAbSWSMsiCoAtCb+zTV3/EBHkOvAAMjGFchnifP
        SlkCi870XvuXbgAIEwITAxMBAP8BAACZAAAADgAMAAAJbG9jYWxob3N0AAsABAMAAQIACgAWABQAHQAXAB4AGQAY
        AQABAQECAQMBBAAjAAAAFgAAABcAAAANAB4AHAQDBQMGAwgHCAgICQgKCAsIBAgFCAYEAQUBBgEAKwADAgMEAC0A
        AgEBADMAJgAkAB0AIPJj4+A06vXUIU0JGlpBr2diGuvgWjWYDAuCBT13WMFE
        """,
        skippingBlanks: true
    )

    // OpenSSL sends this alert before it has switched to encryption.
    @Test("A client's alert that is not encrypted is reported as the likely rejection of the certificate")
    func plainAlert() async throws {
        let failures = Lock<[String]>([])
        let now = SystemClock().timeSinceEpoch
        let settings = try TLSCase.good.settings(of: try CertificateAuthority(now: now), now: now)
        let stage = try ProxyStage(configure: { configuration in
            configuration.tls = settings
            configuration.tls?.onFailure = { reason in failures.withLock { $0.append(reason) } }
        }) { _ in }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send(try #require(Self.hello))
        _ = try client.read(count: 5)
        let unknownAuthority: [UInt8] = [0x15, 3, 3, 0, 2, 2, 48]
        try client.send(unknownAuthority)
        while failures.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(
            failures.withLock { $0 } == [
                "the client sent something that is not encrypted, probably an alert because it does not trust the certificate"
            ]
        )
    }
}

@Suite("Time limits of the proxy's handshakes", .blocking)
struct HandshakeLimitTests {
    @Test(
        "A client that sends no hello, or a part of one, is closed after 30 seconds",
        arguments: [
            ("", [UInt8]()), ("", [0x16, 3, 1]), ("reset@tls-handshake:50", []),
            ("reset@tls-handshake:50%", [0x16, 3, 1, 0, 9, 1]),
        ]
    )
    func client(_ faults: String, _ beginning: [UInt8]) async throws {
        let clock = VirtualClock(wallSeconds: 1_700_000_000)
        let failures = Lock<[String]>([])
        let authority = try CertificateAuthority(now: clock.timeSinceEpoch)
        let settings = try TLSCase.good.settings(of: authority, now: clock.timeSinceEpoch)
        let stage = try ProxyStage(
            faults,
            clock: clock,
            configure: { configuration in
                configuration.tls = settings
                configuration.tls?.onFailure = { reason in failures.withLock { $0.append(reason) } }
            }
        ) { _ in }
        defer { stage.stop() }
        let client = try stage.client()
        try client.send(beginning)
        await clock.waitForSleeper()
        clock.advance(by: .seconds(29))
        #expect(stage.proxy.openConnections == 1)
        clock.advance(by: .seconds(1))
        #expect(try client.ending(after: 0).bytes.isEmpty)
        while failures.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(failures.withLock { $0 } == ["no handshake within 30.0 seconds"])
    }

    @Test(
        "An upstream that does not answer the ClientHello results in a 502 after 30 seconds, with the cause"
    )
    func upstream() async throws {
        let clock = VirtualClock(wallSeconds: 1_700_000_000)
        let origin = ScriptedServer { connection in _ = connection.readHead() }
        defer { origin.stop() }
        var configuration = FaultProxy.Configuration(
            upstream: try #require(Upstream(url: "https://127.0.0.1:\(origin.port)"))
        )
        configuration.upstreamTrust.verifies = false
        let proxy = FaultProxy(configuration, clock: clock)
        try proxy.start()
        defer { proxy.stop() }
        let client = try RawClient(port: proxy.port)
        try client.request("GET", "/")
        await clock.waitForSleeper()
        clock.advance(by: .seconds(30))
        let response = try client.response()
        #expect(response.status == 502)
        #expect(response.text.hasSuffix("TLS: no handshake within 30.0 seconds\n"))
    }
}
