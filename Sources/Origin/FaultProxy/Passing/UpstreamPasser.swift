public import Clocks
public import HTTPServing
public import MockOrigin
import OriginScript

/// Passes requests of a mock server to one upstream.
///
/// A response is sent as it arrives, byte for byte unless it is changed; a request has been read completely, and is
/// rewritten. Each request has its own connection.
public final class UpstreamPasser: RequestPasser {
    private let loop: DuplexLoop
    private let connector: UpstreamConnector
    private let clock: any TimeSource
    private let firstTags = FirstTags()

    /// Creates a passer that has not started; `trust` is what an upstream of TLS is verified with.
    public init(
        to upstream: Upstream,
        trust: TLSTrust = TLSTrust(),
        clock: any TimeSource = SystemClock()
    ) throws(ServerError) {
        loop = try DuplexLoop()
        self.clock = clock
        let credentials = ProxyCredentials()
        var configuration = FaultProxy.Configuration(upstream: upstream)
        configuration.upstreamTrust = trust
        try credentials.prepare(configuration)
        connector = UpstreamConnector(upstream, credentials, clock: clock)
    }

    /// Starts its thread; may be called once.
    public func start() throws(ServerError) { try loop.start() }

    /// Ends every connection and waits for the thread.
    public func stop() { loop.stop() }

    /// Passes a request and returns the reply to it, while the response is still to come.
    public func pass(_ request: PassedRequest) -> PassedReply {
        let response = ResponseQueue()
        guard let head = UpstreamRequest.head(of: request.request, to: connector.upstream) else {
            response.fail(501, "CONNECT cannot be passed.")
            return response.reply
        }
        let receiver = ResponseReceiver(
            request: request,
            head: head,
            queue: response,
            firstTags: firstTags,
            clock: clock
        )
        let starts = loop.run { [connector, loop] in
            do throws(UpstreamFailure) {
                await receiver.receive(from: try await connector.connect(on: loop))
            } catch {
                response.fail(error.status, error.cause)
            }
        }
        if !starts { response.fail(503, "The server is stopping.") }
        return response.reply
    }
}

/// Writes the heads of requests to an upstream.
enum UpstreamRequest {
    /// The fields that are for this connection only (RFC 9110 §7.6.1), or that its reading has settled.
    private static let connectionFields = [
        "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "transfer-encoding",
        "content-length", "upgrade", "expect", "host",
    ]

    /// Returns the head of a request that was read; `nil` for one that has no target at the upstream.
    static func head(of request: ServedRequest, to upstream: Upstream) -> ProxiedRequestHead? {
        guard request.method != "CONNECT" else { return nil }
        let target = TargetParts(request.target)
        let path = request.target == "*" ? "*" : target.path + (target.query.map { "?" + $0 } ?? "")
        var bytes = Array("\(request.method) \(path) HTTP/1.\(request.isHTTP11 ? 1 : 0)\r\n".utf8)
        append("Host", Array(upstream.authority.utf8), to: &bytes)
        let named = request.fields.combined(FieldName.connection).map {
            $0.split(separator: ",").map { String($0).lowercased().filter { $0 != " " && $0 != "\t" } }
        }
        let left = Set(connectionFields + (named ?? []))
        for field in request.fields where !left.contains(field.name.lowercased()) {
            append(field.name, field.isLatin1 ? latin1(field.value) : Array(field.value.utf8), to: &bytes)
        }
        let hadContent = [FieldName.contentLength, FieldName.transferEncoding].contains {
            request.fields.combined($0) != nil
        }
        if hadContent || !request.body.isEmpty {
            append(FieldName.contentLength, Array("\(request.body.count)".utf8), to: &bytes)
        }
        return ProxiedRequestHead(HeadBytes(bytes + [0x0D, 0x0A]))
    }

    private static func append(_ name: String, _ value: [UInt8], to bytes: inout [UInt8]) {
        bytes += Array("\(name): ".utf8) + value + [0x0D, 0x0A]
    }

    private static func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }
}
