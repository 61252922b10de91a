import CacheSemantics
import CacheStorage
import Clocks
public import HTTPServing
import HTTPTypes
import JSON

/// What is asked of a gateway while it runs, on a port of its own on the loopback interface: metrics and purging.
///
/// Each request needs `Authorization: Bearer TOKEN`, so that no page in a browser on this machine can send it.
/// `GET /metrics` answers JSON. `POST /purge?url=URL` removes what is stored of a URL, `POST /purge?prefix=URL` of all
/// that begin so, `POST /purge?all` everything. URLs are percent-encoded, and those of the origin.
public final class ControlServer: Sendable {
    private let server: StreamServer

    /// Creates a control server that does not listen yet.
    public init(of gateway: Gateway, port: UInt16, token: String) {
        var configuration = StreamServer.Configuration()
        configuration.port = port
        configuration.threads = 1
        configuration.bodyLimitBytes = 0
        server = StreamServer(configuration, handler: ControlHandler(gateway: gateway, token: token))
    }

    /// The port it listens on; 0 while it does not.
    public var port: UInt16 { server.port }

    /// Starts to serve; may be called once.
    public func start() throws(ServerError) { try server.start() }

    /// Closes every connection and waits for the thread.
    public func stop() { server.stop() }
}

private struct ControlHandler: StreamHandler {
    func makeAnswerer() -> any StreamAnswerer { ControlAnswerer(self) }

    let gateway: Gateway
    let token: String

    func begin(_ exchange: StreamExchange) {
        exchange.writeNow(refusal(for: .contentTooLarge))
        exchange.finish(isPersistent: false)
    }

    func refusal(for problem: RequestProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        write(problem.status, error(problem.explanation), endsConnection: true, &bytes)
        return bytes
    }

    fileprivate func answer(_ head: StreamHead, _ answer: inout StreamAnswer) {
        let (status, value) = reply(to: head.request)
        write(status, value, endsConnection: !head.isPersistent, &answer.head)
        answer.endsConnection = !head.isPersistent
    }

    private func reply(to request: StreamRequest) -> (Int, JSONValue) {
        guard isAuthorized(request) else { return (401, error("The Authorization field has not the token.")) }
        let target = String(decoding: request.target, as: UTF8.self)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        switch (String(decoding: request.method, as: UTF8.self), parts[0]) {
        case ("GET", "/metrics"): return (200, metrics)
        case ("POST", "/purge"): return purge(parts.count > 1 ? parts[1] : "")
        case (_, "/metrics"), (_, "/purge"): return (405, error("GET /metrics or POST /purge."))
        default: return (404, error("There are /metrics and /purge."))
        }
    }

    private func isAuthorized(_ request: StreamRequest) -> Bool {
        let expected = Array("Bearer \(token)".utf8)
        return request.fields.contains { field in
            String(decoding: field.name, as: UTF8.self).isSameFieldName(as: "Authorization")
                && field.value.count == expected.count
                // All bytes are looked at, so that the time tells nothing of the token.
                && zip(field.value, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    private func purge(_ query: Substring) -> (Int, JSONValue) {
        if query == "all" || query == "all=" {
            let count = gateway.entryCount
            gateway.purgeAll()
            return (200, ["purged": .integer(count)])
        }
        let parts = query.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let url = PercentCoding.decoded(parts[1]) else {
            return (400, error("The query is one of url=URL, prefix=URL and all."))
        }
        switch parts[0] {
        case "url": return (200, ["purged": .integer(gateway.purge(url: url))])
        case "prefix": return (200, ["purged": .integer(gateway.purge(prefix: url))])
        default: return (400, error("The query is one of url=URL, prefix=URL and all."))
        }
    }

    private var metrics: JSONValue {
        let now = gateway.metrics.snapshot
        return [
            "requests": .integer(now.requests), "hits": .integer(now.hits), "misses": .integer(now.misses),
            "validations": .integer(now.validations), "stale": .integer(now.stale),
            "errors": .integer(now.errors), "bytes": .integer(now.bytes),
            "entries": .integer(gateway.entryCount), "memoryUsage": .integer(gateway.memoryUsage),
            "diskUsage": .integer(gateway.diskUsage),
        ]
    }

    private func error(_ reason: String) -> JSONValue { ["error": .string(reason)] }

    private func write(_ status: Int, _ value: JSONValue, endsConnection: Bool, _ bytes: inout [UInt8]) {
        let json = value.written() + "\n"
        var text = ResponseText(HTTPResponse.Status(integerLiteral: status))
        text.add(.contentType, "application/json")
        text.add(.cacheControl, "no-store")
        text.add(.contentLength, number: json.utf8.count)
        if status == 401 { text.add(.wwwAuthenticate, "Bearer") }
        if endsConnection { text.add(.connection, "close") }
        text.end()
        bytes += text.bytes + Array(json.utf8)
    }
}

private final class ControlAnswerer: StreamAnswerer {
    private let handler: ControlHandler

    init(_ handler: ControlHandler) { self.handler = handler }

    func answer(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool {
        handler.answer(head, &answer)
        return true
    }
}

/// Percent-coding of RFC 3986 §2.1.
enum PercentCoding {
    /// `nil` where a percent sign is not followed by two digits.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
