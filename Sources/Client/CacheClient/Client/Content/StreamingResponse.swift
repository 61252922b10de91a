public import CacheSemantics
import CacheStorage
public import HTTPTypes

/// A response whose content is read as a stream.
public struct StreamingResponse: Sendable {
    /// The request of the last transaction, as the cache saw it.
    public let request: HTTPRequest
    /// The URL of the last transaction, with its fragment.
    public let url: String
    /// Status and header fields.
    public let response: HTTPResponse
    /// The source of the response.
    public let source: ResponseSource
    /// Whether it is served although stale.
    public let isStale: Bool
    /// Current age in whole seconds (RFC 9111 §4.2.3); `nil` if the response is not from the store.
    public let age: Duration?
    /// Every rule that was consulted for the last transaction, in order.
    public let findings: [Finding]
    /// The cache's handling of the request.
    ///
    /// As long as content is still to arrive, `isStored` can only state what is intended: the response is not stored if its
    /// content breaks off or turns out to be too large.
    public let cacheStatus: CacheStatus
    /// Redirects followed.
    public let redirects: Int
    /// The metrics of the last transaction up to the arrival of its head.
    public let metrics: TransactionMetrics
    /// The length of the coded content if it comes from the store; `nil` if it is still to arrive.
    public let storedLength: ByteCount?
    /// The content; the origin is slowed down while it is not read, and releasing it unread closes the connection.
    public let body: ResponseContent

    init(_ answer: TransactionResult, url: String, redirects: Int, body: ResponseContent) {
        request = answer.request
        self.url = url
        response = answer.response
        source = answer.source
        isStale = answer.isStale
        age = answer.age.map { .seconds($0) }
        findings = answer.findings
        cacheStatus = answer.status
        self.redirects = redirects
        metrics = answer.metrics
        if case .stored(let body) = answer.content {
            storedLength = .bytes(body.count)
        } else {
            storedLength = nil
        }
        self.body = body
    }
}

extension StreamingResponse {
    /// The status code.
    public var status: Int { response.status.code }

    /// The header fields; a name may occur several times.
    public var headerFields: HTTPFields { response.headerFields }

    /// Stops reading the content and closes its connection; may be called by any task, and repeatedly.
    ///
    /// A read that waits and all later ones throw an error whose `isCancellation` is true. After the end of the content, nothing
    /// happens.
    ///
    /// What has arrived is stored as an incomplete response if RFC 9111 §3.3 allows it and the client has no hook that decides
    /// on storing; a later request completes it. If other requests wait for the same content, it still arrives and is stored.
    public func cancel() { body.cancel() }

    /// Reads the content and returns the response as a whole.
    ///
    /// Throws an error of the kind `TransportError.Kind.tooLarge` if there is more content than `limit`, and stops reading as
    /// `cancel()` does. The metrics only have source, status and size.
    public nonisolated(nonsending) func collected(
        limit: ByteCount
    ) async throws(ClientError) -> ClientResponse {
        let (bytes, isWhole) = try await start(of: limit)
        guard isWhole else {
            cancel()
            let detail = "The content has more than \(limit.bytes) bytes, which is the limit."
            throw ClientError(TransportError(.tooLarge, detail), url: url, findings: findings)
        }
        return whole(with: bytes)
    }

    /// Reads the content, up to `limit` of it, and returns the response with what was read.
    ///
    /// Use it for content that is only inspected, such as an error page.
    package nonisolated(nonsending) func shortened(to limit: ByteCount) async throws(ClientError)
        -> ClientResponse
    {
        whole(with: try await start(of: limit).bytes)
    }

    private nonisolated(nonsending) func start(
        of limit: ByteCount
    ) async throws(ClientError) -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        for try await piece in body {
            let room = limit.bytes - bytes.count
            bytes += piece.prefix(room)
            if piece.count > room { return (bytes, false) }
        }
        return (bytes, true)
    }

    private func whole(with bytes: [UInt8]) -> ClientResponse {
        ClientResponse(
            request: request,
            url: url,
            body: bytes,
            source: source,
            isStale: isStale,
            ageSeconds: age?.components.seconds,
            redirects: redirects,
            cause: nil,
            head: .made(response),
            decision: .made(findings, cacheStatus),
            earlier: [],
            last: TransactionMetrics(
                url: url,
                source: source,
                status: response.status.code,
                contentSize: .bytes(bytes.count),
                at: .zero
            )
        )
    }
}

/// The content of a streamed response, gzip and deflate decoded, in pieces; can be read once.
public struct ResponseContent: AsyncSequence, Sendable {
    /// A piece, never empty.
    public typealias Element = [UInt8]
    /// The error of a failed read.
    public typealias Failure = ClientError

    private let reader: ContentReader

    init(_ reader: ContentReader) { self.reader = reader }

    /// An iterator over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: ContentReader

        /// Returns the next piece; `nil` at the end.
        public nonisolated(nonsending) mutating func next() async throws(ClientError) -> [UInt8]? {
            try await reader.next()
        }

        /// Returns the next piece; `nil` at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> [UInt8]? {
            try await reader.next()
        }
    }

    /// Returns an iterator that starts, or continues, to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    func cancel() { reader.cancel() }
}
