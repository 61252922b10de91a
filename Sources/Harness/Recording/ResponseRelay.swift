import FaultProxy
import HTTPServing
import HTTPTypes

/// Forwards a response to the proxy's client, with its fields in order.
struct ResponseRelay {
    let exchange: StreamExchange
    let method: String
    private(set) var hasHead = false
    /// The number of bytes of content so far.
    private(set) var count = 0
    /// The content length that the client expects; `nil` with chunked coding or an end by close.
    private var length: Int?
    private var isChunked = false
    private var persists = false

    init(exchange: StreamExchange, method: String) {
        self.exchange = exchange
        self.method = method
    }

    func interim(_ response: HTTPResponse, _ captured: inout CapturedExchange) throws {
        // 100 and 101 are dropped: the request had neither `Expect` nor `Upgrade`.
        guard response.status.code > 101 else { return }
        let copy = Self.captured(response)
        captured.interim.append(copy)
        guard exchange.request.isHTTP11 else { return }
        exchange.writeNow(Self.head(response, Array(response.headerFields)))
    }

    mutating func head(_ response: HTTPResponse, _ captured: inout CapturedExchange) async throws {
        captured.response = Self.captured(response)
        let ofConnection = FieldNameSets.ofConnection(response.headerFields[values: .connection])
        var fields = response.headerFields.filter { !ofConnection.contains($0.name.canonicalName) }
        let hasNone = method == "HEAD" || [204, 304].contains(response.status.code)
        let hasLength = fields.contains { $0.name == .contentLength }
        isChunked = !hasNone && !hasLength && exchange.request.isHTTP11
        persists = exchange.request.isPersistent && (hasNone || hasLength || isChunked)
        if isChunked { fields.append(HTTPField(name: .transferEncoding, value: "chunked")) }
        if !persists { fields.append(HTTPField(name: .connection, value: "close")) }
        length = hasNone ? 0 : response.headerFields[.contentLength].flatMap { Int($0) }
        hasHead = true
        try await exchange.write(Self.head(response, Array(fields)))
    }

    /// Whether the client has received the whole response without an explicit end.
    var isWhole: Bool { hasHead && count == length }

    /// Counts received content.
    mutating func count(_ bytes: [UInt8]) { count += bytes.count }

    func piece(_ bytes: [UInt8]) async throws {
        guard isChunked else { return try await exchange.write(bytes) }
        try await exchange.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
    }

    func end() {
        if isChunked { exchange.writeNow(Array("0\r\n\r\n".utf8)) }
        exchange.finish(isPersistent: persists)
    }

    private static func captured(_ response: HTTPResponse) -> CapturedExchange.Response {
        CapturedExchange.Response(
            status: response.status.code,
            reason: response.status.reasonPhrase,
            fields: response.headerFields.map { CapturedExchange.Field($0.name.rawName, $0.value) }
        )
    }

    /// Returns the bytes of a head, with the values as they were received.
    private static func head(_ response: HTTPResponse, _ fields: [HTTPField]) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n".utf8)
        for field in fields {
            bytes += Array("\(field.name.rawName): ".utf8)
            field.withUnsafeBytesOfValue { bytes += $0 }
            bytes += [0x0D, 0x0A]
        }
        return bytes + [0x0D, 0x0A]
    }
}
