import CacheClient
import CacheSemantics
import CacheStorage
import Certificates
import Clocks
import HTTPServing
import HTTPTypes
import MockOrigin
import OriginScript
import Testing
import TestSupport

@Suite("TLS, RFC 8446", .timeLimit(.minutes(20)))
struct TLSTests {
    private static func fault(_ action: FaultAction, at byte: Int) -> Fault {
        byte < headSize
            ? Fault(action, at: .head, byte: byte) : Fault(action, at: .body, byte: byte - headSize)
    }

    private static let contentSize = 100
    private static let headSize = 118

    private static func answer() -> OriginScript.Answer {
        var answer = FaultSweepTests.answer()
        answer.body = .generated(size: contentSize)
        return answer
    }

    @Test(
        "A reset or a close at any byte within TLS is an error or whole content, and nothing short is stored",
        .checks("rfc9111.3.3.incomplete-not-complete"),
        arguments: [FaultAction.close, .reset]
    )
    func sweep(action: FaultAction) async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(clock: clock)
        defer { fixture.server.stop() }
        let test = try TestClient(clock: clock, trust: fixture.trust())
        let total = Self.headSize + Self.contentSize
        let routes = (0...total).map { byte in
            var answer = Self.answer()
            answer.faults = [Self.fault(action, at: byte)]
            return Route(label: "\(byte)", path: .exact("/\(byte)"), answers: [answer])
        }
        let whole = Route(label: "whole", path: .exact("/whole"), answers: [Self.answer()])
        let origin = fixture.server.open(
            token: "t",
            routes: routes + [whole],
            clock: clock,
            startedAt: startOfTime
        )
        let base = fixture.url + origin.base
        let expected = try await test.client.fetch(ClientRequest(url: base + "/whole")).body
        #expect(expected.count == Self.contentSize)
        for byte in 0...total {
            var request = ClientRequest(url: "\(base)/\(byte)")
            let body = await test.body(request)
            #expect((body != nil) == (byte == total), "\(action) at byte \(byte)")
            #expect(body == nil || body == expected, "\(action) at byte \(byte)")
            request.policy = .returnCacheDataDontLoad
            #expect(await test.body(request) == body, "what is stored after \(action) at byte \(byte)")
        }
    }

    @Test(
        "Content that ends with the connection is complete only if TLS ended orderly, RFC 9112 §9.8",
        .checks("rfc9111.3.3.incomplete-not-complete"),
        arguments: [FaultAction.close, .reset]
    )
    func closeDelimited(action: FaultAction) async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(clock: clock)
        defer { fixture.server.stop() }
        let test = try TestClient(clock: clock, trust: fixture.trust())
        var answer = Self.answer()
        answer.framing = .close
        let whole = Route(label: "whole", path: .exact("/whole"), answers: [answer])
        let cuts = (0...Self.contentSize).map { byte in
            var cut = answer
            cut.faults = [Fault(action, at: .body, byte: byte)]
            return Route(label: "\(byte)", path: .exact("/\(byte)"), answers: [cut])
        }
        let origin = fixture.server.open(
            token: "t",
            routes: cuts + [whole],
            clock: clock,
            startedAt: startOfTime
        )
        var request = ClientRequest(url: fixture.url + origin.base + "/whole")
        #expect(await test.body(request)?.count == Self.contentSize)
        request.policy = .returnCacheDataDontLoad
        #expect(await test.body(request)?.count == Self.contentSize)
        for byte in 0...Self.contentSize {
            var request = ClientRequest(url: "\(fixture.url)\(origin.base)/\(byte)")
            #expect(await test.body(request) == nil, "\(action) at byte \(byte)")
            request.policy = .returnCacheDataDontLoad
            #expect(await test.body(request) == nil, "what is stored after \(action) at byte \(byte)")
        }
    }

    @Test("A connection beyond the limit gets a 503 within TLS, and another is accepted when one ends")
    func tooMany() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(clock: clock) { $0.server.connectionLimit = 1 }
        defer { fixture.server.stop() }
        let request = ClientRequest(url: fixture.url + "/get")
        var first: TestClient? = try TestClient(clock: clock, trust: fixture.trust())
        #expect(try await first?.client.fetch(request).response.status.code == 200)
        let second = try TestClient(clock: clock, trust: fixture.trust())
        let refused = try await second.client.fetch(request)
        #expect(refused.response.status.code == 503)
        #expect(refused.response.headerFields[.retryAfter] == "1")
        first = nil
        while fixture.server.openConnections > 0 { await Task.yield() }
        #expect(try await second.client.fetch(request).response.status.code == 200)
    }

    @Test(
        "Forty concurrent clients receive and send their whole content in both directions"
    )
    func concurrentTransfers() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(clock: clock)
        defer { fixture.server.stop() }
        let test = try TestClient(connectionsPerHost: 40, clock: clock, trust: fixture.trust())
        var echo = OriginScript.Answer()
        echo.body = .generated(size: 1 << 20)
        let origin = fixture.open(echo, clock)
        let base = fixture.url + origin.base
        let expected = try await test.client.fetch(ClientRequest(url: base + "/0")).body
        let upload = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 1...40 {
                group.addTask {
                    let request = ClientRequest(url: "\(base)/\(number)", method: .post, body: .bytes(upload))
                    return try await test.client.fetch(request).body
                }
            }
            for try await body in group { #expect(body == expected) }
        }
        #expect(origin.record().dropFirst().allSatisfy { $0.body == upload })
        #expect(origin.record().count == 41)
    }

    @Test("A client that disconnects within TLS is detected while its response is held")
    func hangUp() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(clock: clock)
        defer { fixture.server.stop() }
        let test = try TestClient(clock: clock, trust: fixture.trust())
        var answer = OriginScript.Answer()
        answer.faults = [Fault(.stall(.forever), at: .beforeHead)]
        let origin = fixture.open(answer, clock)
        let (events, sink) = AsyncStream.makeStream(of: Void.self)
        origin.onActivity { sink.yield() }
        let task = Task { try await test.client.fetch(ClientRequest(url: fixture.url + origin.base + "/a")) }
        for await _ in events where !origin.parked.isEmpty { break }
        task.cancel()
        for await _ in events where origin.record().first?.isEnded == true { break }
        #expect(origin.record().map(\.isAborted) == [true])
    }

    @Test("When a response is reported as waiting it is waiting, however long TLS takes with its bytes")
    func pauses() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(clock: clock)
        defer { fixture.server.stop() }
        let test = try TestClient(clock: clock, trust: fixture.trust())
        var answer = OriginScript.Answer()
        answer.body = .generated(size: 3_000)
        answer.chunks = [1_000, 1_000, 1_000]
        answer.chunkDelay = .seconds(1)
        let origin = fixture.open(answer, clock)
        let (waits, sink) = AsyncStream.makeStream(of: Void.self)
        origin.onActivity { [weak origin] in if origin?.parked.isEmpty == false { sink.yield() } }
        let task = Task { try await test.client.fetch(ClientRequest(url: fixture.url + origin.base + "/a")) }
        var told = waits.makeAsyncIterator()
        for _ in 0..<3 {
            await told.next()
            clock.advance(by: .seconds(1))
        }
        #expect(try await task.value.body.count == 3_000)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let tlsCase: TLSCase
        let code: Int
        var change: @Sendable (inout TrustPolicy) -> Void = { _ in }
    }

    @Test(
        "A failure of TLS has Foundation's code and a cause, and nothing is sent",
        .checks("afnetworking.security.server-trust"),
        arguments: [
            Case(testDescription: "expired", tlsCase: .expired, code: -1201),
            Case(testDescription: "self-signed", tlsCase: .selfSigned, code: -1202),
            Case(testDescription: "another host", tlsCase: .wrongHost, code: -1202),
            Case(testDescription: "unknown authority", tlsCase: .unknownAuthority, code: -1203),
            Case(testDescription: "the system's authorities", tlsCase: .good, code: -1203) {
                $0.authorities = nil
            },
            Case(testDescription: "not yet valid", tlsCase: .notYetValid, code: -1204),
            Case(testDescription: "no client certificate", tlsCase: .clientRequired, code: -1206),
            Case(testDescription: "another key pinned", tlsCase: .good, code: -1202) {
                $0.publicKeyPins = [[UInt8](repeating: 7, count: 32)]
            },
            Case(testDescription: "authorities that are none", tlsCase: .good, code: -1200) {
                $0.authorities = .file("/dev/null")
            },
            Case(testDescription: "a client certificate that is none", tlsCase: .good, code: -1205) {
                $0.identity = .pem(certificate: .bytes([1, 2, 3]), key: .bytes([4]))
            },
            Case(testDescription: "a PKCS #12 file that does not exist", tlsCase: .good, code: -1205) {
                $0.identity = .pkcs12(.file("/nonexistent/client.p12"), password: "x")
            },
        ]
    )
    func refusals(_ row: Case) async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(row.tlsCase, clock: clock)
        defer { fixture.server.stop() }
        let test = try TestClient(clock: clock, trust: fixture.trust(row.change))
        let error = await test.failure(ClientRequest(url: fixture.url + "/get"))
        #expect(error?.code.rawValue == row.code)
        #expect(error?.cause.map { !$0.detail.isEmpty } == true)
        #expect(fixture.server.journal().isEmpty)
    }

    @Test("A client decrypts the PKCS #12 file of an identity, and is served where a certificate is required")
    func encryptedArchive() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(.clientRequired, clock: clock)
        defer { fixture.server.stop() }
        let client = try fixture.authority.issueClient(name: "somebody", now: TLSFixture.now)
        let bundle = try client.pkcs12(password: "of this test")
        let trust = try fixture.trust { $0.identity = .pkcs12(.bytes(bundle), password: "of this test") }
        let test = try TestClient(clock: clock, trust: trust)
        #expect(await test.failure(ClientRequest(url: fixture.url + "/get")) == nil)
    }

    @Test("Clients of one loop do not share connections if they trust different authorities")
    func trustIsNotShared() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(.clientAsked, clock: clock)
        defer { fixture.server.stop() }
        let loop = try ClientLoop()
        let pinned = try #require(PinnedCertificate(pem: try fixture.identity.certificate.pem()))
        let other = try #require(PinnedCertificate(pem: try fixture.authority.identity.certificate.pem()))
        let client = try fixture.authority.issueClient(name: "somebody", now: TLSFixture.now)
        func fetch(_ change: (inout TrustPolicy) -> Void) async throws -> Int {
            let test = try TestClient(clock: clock, trust: fixture.trust(change), loop: loop)
            return await test.failure(ClientRequest(url: fixture.url + "/get"))?.code.rawValue ?? 0
        }
        #expect(try await fetch { _ in } == 0)
        #expect(try await fetch { $0.authorities = nil } == -1203)
        #expect(try await fetch { $0.certificatePins = [pinned] } == 0)
        #expect(try await fetch { $0.certificatePins = [other] } == -1202)
        #expect(try await fetch { $0.certificatePins = [other, pinned] } == 0)
        #expect(try await fetch { $0.publicKeyPins = [[UInt8](repeating: 1, count: 32)] } == -1202)
        let pem = TrustPolicy.ClientIdentity.pem(
            certificate: .bytes(Array(try client.certificate.pem().utf8)),
            key: .bytes(Array(try client.key.pem().utf8))
        )
        #expect(try await fetch { $0.identity = pem } == 0)
        #expect(try await fetch { _ in } == 0)
        // The last request was sent on the first one's connection.
        let connections = fixture.server.journal().map(\.request.connection)
        #expect(connections.count == 5)
        #expect(Set(connections).count == 4)
        #expect(connections.first == connections.last)
    }

    @Test("A pinned certificate does not match another certificate with the same key")
    func sameKeyOtherCertificate() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(.pinnedKey, clock: clock)
        defer { fixture.server.stop() }
        let terms = CertificateTerms.localServer(name: "twin", validity: .zero ... .seconds(4_000_000_000))
        let twin = try fixture.authority.issue(terms, key: fixture.authority.pinnedKey)
        let pin = try #require(PinnedCertificate(pem: try twin.certificate.pem()))
        let test = try TestClient(clock: clock, trust: fixture.trust { $0.certificatePins = [pin] })
        let error = await test.failure(ClientRequest(url: fixture.url + "/get"))
        #expect(error?.code == -1202)
        #expect(error?.cause?.detail == "The server's certificate does not match a pin.")
        #expect(fixture.server.journal().isEmpty)
    }

    @Test(
        "Anything but a certificate cannot be pinned",
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x84, 1, 1, 1, 1, 1], [0x30, 3, 0x30, 1, 2], [0xFF, 0xFF],
        ] as [[UInt8]]
    )
    func noCertificate(der: [UInt8]) {
        #expect(PinnedCertificate(der: der) == nil)
    }

    struct Resumption: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var first: @Sendable (inout TrustPolicy, PinnedCertificate) -> Void = { _, _ in }
        var second: @Sendable (inout TrustPolicy, PinnedCertificate) -> Void = { _, _ in }
        let line: String
    }

    @Test(
        "A second connection of a loop resumes the TLS session of the first under the same trust, RFC 8446 §2.2",
        .enabled(if: OpenSSLServer.program != nil),
        arguments: [
            Resumption(testDescription: "the same trust", line: "Reused, TLSv1.3"),
            Resumption(
                testDescription: "an unverified session is not trusted",
                first: { trust, _ in trust.verifiesChain = false },
                line: "New, TLSv1.3"
            ),
            Resumption(
                testDescription: "a pinned certificate is to be shown",
                second: { $0.certificatePins = [$1] },
                line: "New, TLSv1.3"
            ),
        ]
    )
    func resumption(_ row: Resumption) async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let authority = try CertificateAuthority(now: TLSFixture.now)
        let identity = try TLSCase.good.settings(of: authority, now: TLSFixture.now).identity
        let server = try OpenSSLServer(identity)
        let pin = try #require(PinnedCertificate(pem: try identity.certificate.pem()))
        let loop = try ClientLoop()
        func page(_ change: (inout TrustPolicy, PinnedCertificate) -> Void) async throws -> String {
            var trust = TrustPolicy()
            trust.authorities = .bytes(Array(try authority.identity.certificate.pem().utf8))
            change(&trust, pin)
            let test = try TestClient(clock: clock, trust: trust, loop: loop)
            return String(
                decoding: try await test.client.fetch(ClientRequest(url: server.url)).body,
                as: UTF8.self
            )
        }
        #expect(try await page(row.first).contains("New, TLSv1.3"))
        #expect(try await page(row.second).contains(row.line))
    }

    @Test("Plain HTTP on the port of TLS is refused, and TLS continues to work")
    func plainOnTLS() async throws {
        let clock = VirtualClock(wallSeconds: startOfTime)
        let fixture = try TLSFixture(clock: clock)
        defer { fixture.server.stop() }
        let test = try TestClient(clock: clock, trust: fixture.trust())
        let plain = fixture.url.replacing("https:", with: "http:")
        #expect(await test.failure(ClientRequest(url: plain + "/get")) != nil)
        #expect(await test.failure(ClientRequest(url: fixture.url + "/get")) == nil)
    }
}
