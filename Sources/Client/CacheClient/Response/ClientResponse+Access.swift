import CacheSemantics
public import HTTPTypes

extension ClientResponse {
    /// The status code.
    public var status: Int { response.status.code }

    /// The header fields; a name may occur several times.
    public var headerFields: HTTPFields { response.headerFields }

    /// The content as UTF-8, with invalid bytes replaced by U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Creates a response without a client, for test doubles of a client; `age` is `nil`.
    public init(
        url: String,
        status: Int = 200,
        fields: HTTPFields = [:],
        body: [UInt8] = [],
        source: ResponseSource = .origin
    ) {
        let isHit = source == .memory || source == .disk
        var metrics = TransactionMetrics(url: url, startedAt: .zero)
        metrics.source = source
        metrics.status = status
        metrics.contentSize = .bytes(body.count)
        self.init(
            request: ClientRequest(url: url).prepared.request,
            url: url,
            body: body,
            source: source,
            isStale: false,
            ageSeconds: nil,
            redirects: 0,
            head: .made(HTTPResponse(status: .init(code: status), headerFields: fields)),
            decision: .made([], CacheStatus(key: url, isHit: isHit, forward: isHit ? nil : .uriMiss)),
            earlier: [],
            last: metrics
        )
    }
}

extension ClientResponse: CustomStringConvertible {
    /// One line with the status, the source and the size of the content: `200 from memory, 12 bytes`.
    public var description: String { "\(status) from \(source.rawValue), \(body.count) bytes" }
}
