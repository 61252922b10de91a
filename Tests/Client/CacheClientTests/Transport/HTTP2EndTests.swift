import CacheClient
import CacheSemantics
import Certificates
import Clocks
import HTTPServing
import HTTPTypes
import MockOrigin
import OriginScript
import TestSupport
import Testing

@Suite("The end of an exchange over HTTP/2, RFC 9113 §8.1 and §8.7", .timeLimit(.minutes(20)))
struct HTTP2EndTests {
    /// A server that speaks HTTP/2 as a script demands, on one connection at a time.
    private struct Server: Sendable {
        private enum Frame: UInt8 {
            case data = 0
            case head = 1
            case reset = 3
            case settings = 4
        }
        private let server: OpenSSLServer
        private let authority: CertificateAuthority
        var url: String { server.url }

        init(_ script: @escaping @Sendable (Server) -> Void) throws {
            authority = try CertificateAuthority(now: TLSFixture.now)
            let identity = try TLSCase.good.settings(of: authority, now: TLSFixture.now).identity
            server = try OpenSSLServer(identity, ["-alpn", "h2"])
            startThread { [self] in script(self) }
        }

        var trust: TrustPolicy {
            get throws {
                var trust = TrustPolicy()
                trust.authorities = .bytes(Array(try authority.identity.certificate.pem().utf8))
                return trust
            }
        }

        /// Waits for the first request of a connection, and sends the server's settings.
        func accept() {
            waitForRequest()
            send(.settings)
            send(.settings, flags: 1)
        }

        /// Sends a head without a length, and `hello`.
        func begin() {
            // RFC 7541: `:status: 200`, and `cache-control: max-age=60` with a name of the static table.
            send(.head, flags: 4, stream: 1, [0x88, 0x0F, 0x09, 10] + Array("max-age=60".utf8))
            send(.data, stream: 1, Array("hello".utf8))
        }

        /// Ends the response, or the connection.
        func end(_ end: End) {
            switch end {
            case .stream: send(.data, flags: 1, stream: 1)
            case .cancelled: send(.reset, stream: 1, [0, 0, 0, 8])
            case .refused: send(.reset, stream: 1, [0, 0, 0, 7])
            case .brokenOff: server.stop()
            }
        }

        /// Reads to the end of the request's head, which is in one frame.
        private func waitForRequest() {
            let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            var bytes: [UInt8] = []
            while !bytes.suffix(preface.count).elementsEqual(preface) {
                guard let byte = server.receive() else { return }
                bytes.append(byte)
            }
            repeat {
                bytes = (0..<9).compactMap { _ in server.receive() }
                guard bytes.count == 9 else { return }
                for _ in 0..<(Int(bytes[1]) << 8 | Int(bytes[2])) { _ = server.receive() }
            } while bytes[3] != Frame.head.rawValue
        }

        private func send(_ frame: Frame, flags: UInt8 = 0, stream: UInt8 = 0, _ content: [UInt8] = []) {
            server.send([0, 0, UInt8(content.count), frame.rawValue, flags, 0, 0, 0, stream] + content)
        }
    }

    enum End: String, CustomTestStringConvertible {
        case stream = "the end of its stream"
        case cancelled = "a reset of its stream, with CANCEL"
        case refused = "a reset of its stream, with REFUSED_STREAM"
        case brokenOff = "the end of the connection"

        var testDescription: String { rawValue }
    }

    @Test(
        "Content without a length is complete at the end of its stream, and is only then stored",
        .checks("rfc9111.3.3.incomplete-not-complete"),
        .enabled(if: OpenSSLServer.program != nil),
        arguments: [End.stream, .cancelled, .brokenOff]
    )
    func content(endingWith end: End) async throws {
        let server = try Server { server in
            server.accept()
            server.begin()
        }
        let test = try TestClient(trust: server.trust)
        var request = ClientRequest(url: server.url)
        let response = try await test.client.stream(request)
        #expect(response.metrics.version == .http2)
        var content = response.body.makeAsyncIterator()
        #expect(try await content.next() == Array("hello".utf8))
        server.end(end)
        do throws(ClientError) {
            #expect(try await content.next() == nil)
            #expect(end == .stream)
        } catch {
            #expect(end != .stream && error.code == .connectionLost, "\(error)")
        }
        request.policy = .returnCacheDataDontLoad
        #expect(await test.body(request) == (end == .stream ? Array("hello".utf8) : nil))
    }

    @Test(
        "A request that the server refuses is sent again if it may be, RFC 9110 §9.2.2",
        .enabled(if: OpenSSLServer.program != nil),
        arguments: [(HTTPRequest.Method.get, true, true), (.get, false, false), (.post, true, false)]
    )
    func refusal(of method: HTTPRequest.Method, resends: Bool, isResent: Bool) async throws {
        let server = try Server { server in
            server.accept()
            server.end(.refused)
            guard isResent else { return }
            server.accept()
            server.begin()
            server.end(.stream)
        }
        let test = try TestClient(resends: resends, trust: server.trust)
        do throws(ClientError) {
            let response = try await test.client.fetch(ClientRequest(url: server.url, method: method))
            #expect(isResent && response.text == "hello")
            #expect(response.metrics.last?.attempts == 2)
        } catch {
            #expect(!isResent && error.code == .connectionLost, "\(error)")
        }
    }
}
