import Certificates
import Clocks
import Locks
import Testing
import TestSupport

@testable import HTTPServing

/// The bytes that a client of TLS has received, or the reason why its handshake failed.
private struct TLSOutcome: Sendable {
    var failure: String?
    var text = ""
    var isFinished = false
}

/// One connection of a client that speaks TLS.
private struct TLSConversation: Sendable {
    let loop: DuplexLoop
    let port: Int
    let credentials: TLSCredentials

    /// Sends requests, each after a part of the response to the one before, and reads until the server ends.
    func send(_ requests: [String], to name: String) async -> TLSOutcome {
        var outcome = TLSOutcome()
        do throws(ConnectFailure) {
            let stream = try await DuplexStream.connect(
                to: try PeerAddress.resolve("127.0.0.1", port: port),
                on: loop,
                within: .seconds(60),
                by: SystemClock()
            )
            defer { stream.close() }
            outcome.failure = await stream.startTLS(credentials, serverName: name)
            if outcome.failure != nil { return outcome }
            for request in requests {
                let before = outcome.text.utf8.count
                guard await stream.write(Array(request.utf8)[...]) else { break }
                while outcome.text.utf8.count == before, !outcome.isFinished { await read(stream, &outcome) }
            }
            while !outcome.isFinished { await read(stream, &outcome) }
        } catch {
            outcome.failure = error.description
        }
        return outcome
    }

    private func read(_ stream: DuplexStream, _ outcome: inout TLSOutcome) async {
        guard case .bytes(let bytes) = await stream.read(1 << 16) else {
            outcome.isFinished = true
            return
        }
        outcome.text += String(decoding: bytes, as: UTF8.self)
    }
}

/// A client that speaks TLS, with its own thread.
private final class TLSClient: Sendable {
    private let conversation: TLSConversation

    init(port: Int, trust: TLSTrust) throws {
        let loop = try DuplexLoop()
        conversation = TLSConversation(loop: loop, port: port, credentials: try TLSCredentials(trust))
        try loop.start()
    }

    deinit { conversation.loop.stop() }

    func send(_ requests: [String], to name: String = "localhost") async -> TLSOutcome {
        await withCheckedContinuation { continuation in
            conversation.loop.run { [conversation] in
                continuation.resume(returning: await conversation.send(requests, to: name))
            }
        }
    }
}

@Suite("The HTTP server over TLS", .timeLimit(.minutes(20)), .blocking)
struct TLSServerTests {
    private static let now = SystemClock().timeSinceEpoch
    private let handler = TestHandler()
    private let failures = Lock<[String]>([])
    private let folder: TestFolder
    private let authority: CertificateAuthority

    init() throws {
        folder = try TestFolder()
        authority = try CertificateAuthority(now: Self.now)
        try folder.write("authority.pem", try authority.identity.certificate.pem())
    }

    private func server(_ change: (inout TLSSettings) -> Void = { _ in }) throws -> HTTPServer {
        let day = CertificateAuthority.day
        let validity = (Self.now - day)...(Self.now + day)
        var settings = TLSSettings(
            identity: try authority.issue(.localServer(name: "test", validity: validity))
        )
        settings.onFailure = { [failures] reason in failures.withLock { $0.append(reason) } }
        change(&settings)
        return try handler.server { $0.tls = settings }
    }

    private func client(of server: HTTPServer, verifies: Bool = true) throws -> TLSClient {
        var trust = TLSTrust()
        trust.authorities = .file(folder.path + "/authority.pem")
        trust.verifies = verifies
        return try TLSClient(port: server.port ?? 0, trust: trust)
    }

    private func waitUntil(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

    private static func get(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    }

    /// A request after whose response the server ends the connection.
    private static let last = "GET /raw HTTP/1.0\r\n\r\n"

    @Test("Raw and prepared replies share a connection, whose facts every request has")
    func requests() async throws {
        let server = try server()
        defer { server.stop() }
        let outcome = try await client(of: server).send([
            Self.get("/raw"), Self.get("/prepared"), Self.last,
        ])
        #expect(outcome.failure == nil)
        #expect(
            outcome.text.components("\r\n\r\n").dropFirst().map { $0.prefix { $0 != "H" } } == [
                "raw", "ready", "raw",
            ]
        )
        let seen = handler.seen.withLock { $0 }
        #expect(seen.map(\.requestsBefore) == [0, 2])
        for request in seen {
            #expect(request.tls?.description.contains("TLS1.3") == true)
            #expect(request.tls?.serverName == "localhost")
            #expect(request.tls?.clientSubject == nil)
            #expect(request.peerPort != 0)
        }
    }

    @Test("A reply larger than any buffer arrives whole")
    func large() async throws {
        let server = try server()
        defer { server.stop() }
        let outcome = try await client(of: server).send([Self.get("/large")])
        #expect(outcome.text.utf8.count == 8 << 20)
        #expect(outcome.text.utf8.allSatisfy { $0 == UInt8(ascii: "x") })
    }

    @Test(
        "A client that does not trust the server ends the handshake, and no request arrives",
        arguments: [("localhost", true), ("other.example", false), ("127.0.0.1", true), ("127.0.0.2", false)]
    )
    func names(name: String, isTrusted: Bool) async throws {
        let server = try server()
        defer { server.stop() }
        let outcome = try await client(of: server).send([Self.last], to: name)
        #expect((outcome.failure == nil) == isTrusted, "\(outcome)")
        #expect(outcome.text.hasSuffix("raw") == isTrusted)
        #expect(handler.seen.withLock { $0.count } == (isTrusted ? 1 : 0))
    }

    @Test(
        "A certificate of another authority is refused, unless nothing is verified",
        arguments: [true, false]
    )
    func otherAuthority(verifies: Bool) async throws {
        let server = try server()
        defer { server.stop() }
        let other = try CertificateAuthority(name: "Another", now: Self.now)
        try folder.write("authority.pem", try other.identity.certificate.pem())
        let outcome = try await client(of: server, verifies: verifies).send([
            Self.last
        ])
        #expect((outcome.failure != nil) == verifies)
        #expect(outcome.text.hasSuffix("raw") == !verifies)
    }

    @Test("A required client certificate that does not come fails the connection, and the reason is reported")
    func clientCertificate() async throws {
        let certificate = authority.identity.certificate
        let server = try server { $0.clientCertificates = .required(authority: certificate) }
        defer { server.stop() }
        let outcome = try await client(of: server).send([Self.last])
        #expect(outcome.text.isEmpty)
        await waitUntil { failures.withLock { !$0.isEmpty } }
        #expect(handler.seen.withLock { $0.isEmpty })
    }

    @Test("A certificate that is only asked for may be missing")
    func askedCertificate() async throws {
        let certificate = authority.identity.certificate
        let server = try server { $0.clientCertificates = .asked(authority: certificate) }
        defer { server.stop() }
        let outcome = try await client(of: server).send([Self.last])
        #expect(outcome.text.hasSuffix("raw"))
        #expect(handler.seen.withLock { $0.map(\.tls?.clientSubject) } == [nil])
    }

    @Test(
        "What is no TLS handshake reaches no handler, fails the handshake and leaves the server working",
        arguments: [
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{16}\u{3}\u{1}\u{0}\u{5}hello", "\u{0}",
            "SSH-2.0-x\r\n",
        ]
    )
    func plain(text: String) async throws {
        let server = try server()
        defer { server.stop() }
        let raw = try RawClient(port: server.port)
        try raw.send(text)
        raw.close()
        await waitUntil { failures.withLock { !$0.isEmpty } }
        #expect(handler.seen.withLock { $0.isEmpty })
        let outcome = try await client(of: server).send([Self.last])
        #expect(outcome.text.hasSuffix("raw"))
    }

    @Test("Five hundred requests in a row come back on one connection")
    func many() async throws {
        let server = try server()
        defer { server.stop() }
        let requests = [String](repeating: Self.get("/raw"), count: 499) + [Self.last]
        let outcome = try await client(of: server).send(requests)
        #expect(outcome.text.components("\r\n\r\nraw").count == 501)
        #expect(server.acceptedConnections == 1)
        #expect(handler.seen.withLock { Set($0.map(\.connection)).count } == 1)
    }

    @Test("Stopping ends connections within TLS that wait for a reply")
    func stopping() async throws {
        let server = try server()
        let client = try client(of: server)
        async let outcome = client.send([Self.get("/park")])
        await waitUntil { handler.parked.withLock { $0 == 1 } }
        server.stop()
        let ended = await outcome
        #expect(ended.failure == nil)
        #expect(ended.text.isEmpty)
        #expect(handler.ends.withLock { $0 } == [.stopped])
    }

    @Test("Credentials of a file without certificates, or without a file, are an error that names it")
    func credentials() throws {
        try folder.write("empty.pem", "no certificate")
        for name in ["empty.pem", "missing.pem"] {
            var trust = TLSTrust()
            trust.authorities = .file("\(folder.path)/\(name)")
            #expect {
                _ = try TLSCredentials(trust)
            } throws: { "\($0)".contains(name) }
        }
    }
}

extension String {
    /// Returns the parts between occurrences of a separator.
    fileprivate func components(_ separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
