import CacheClient
import CacheSemantics
import Clocks
import HTTPServing
import HTTPTypes
import Locks

/// Forwards one request through the client and returns the response.
struct Relay {
    let exchange: StreamExchange
    let handler: GatewayHandler
    /// `nil` if no one observes exchanges.
    let report: PendingReport?
    private var isHTTP11: Bool { exchange.request.isHTTP11 }

    func run(_ request: ClientRequest) async {
        do throws(ClientError) {
            let observer = isHTTP11 ? InterimRelay(exchange: exchange) : nil
            let response = try await handler.client.stream(withContent(request), observer: observer)
            handler.metrics.count(response.source, isStale: response.isStale)
            if response.metrics.attempts > 1 { handler.metrics.countResent() }
            await deliver(response, request.method)
        } catch {
            fail(error, request.method)
        }
    }

    /// Returns the request with the caller's content.
    private func withContent(_ request: ClientRequest) async throws(ClientError) -> ClientRequest {
        var request = request
        do {
            request.body = try await body(of: request)
        } catch {
            throw ClientError(code: -1, url: request.url, reason: "The content ended prematurely.")
        }
        return request
    }

    /// Returns the caller's content, which is read as fast as the origin accepts it.
    ///
    /// The content of a QUERY is part of the cache key, so it is read completely first: unless it is too large, or the caller
    /// wants it forwarded as it arrives (draft-ietf-httpbis-incremental §3).
    private func body(of forwarded: ClientRequest) async throws -> RequestBody? {
        let request = exchange.request
        guard request.hasContent else { return nil }
        if request.contentLength == 0 { return .bytes([]) }
        var start: [UInt8] = []
        let isKeyed = forwarded.method == .query && !forwarded.fields.isIncremental
        while isKeyed, max(start.count, request.contentLength ?? 0) <= Self.largestKeyedContent {
            guard let piece = try await exchange.nextPiece() else { return .bytes(start) }
            start += piece
        }
        let length = request.contentLength.map { ByteCount.bytes($0) }
        return .stream(UploadStream(length: length, pieces: pieces(after: start)))
    }

    /// Returns the caller's content, of which `start` has been read.
    private func pieces(after start: [UInt8]) -> AsyncThrowingStream<[UInt8], any Error> {
        let start = Lock(start)
        return AsyncThrowingStream { [exchange] in
            let read = start.withLock { start in
                defer { start = [] }
                return start
            }
            return read.isEmpty ? try await exchange.nextPiece() : read
        }
    }

    private static let largestKeyedContent = 1 << 20

    // MARK: The response

    private func deliver(_ response: StreamingResponse, _ method: HTTPRequest.Method) async {
        let framing = ForwardedFraming(
            method: method,
            response: response.response,
            storedLength: response.storedLength?.bytes,
            isHTTP11: isHTTP11
        )
        let persists = exchange.request.isPersistent && framing != .untilClose && exchange.hasWholeContent
        let head = head(of: response, framing, persists)
        var delivery = Delivery(exchange: exchange, framing: framing, head: head)
        var isComplete = false
        defer { end(response, contentBytes: delivery.sent, isComplete: isComplete) }
        do {
            try await delivery.begin()
            var pieces = response.body.makeAsyncIterator()
            while let piece = try await pieces.next() {
                handler.metrics.count(bytes: piece.count)
                try await delivery.send(piece)
            }
            try delivery.end()
            exchange.finish(isPersistent: persists)
            isComplete = true
        } catch {
            handler.metrics.countError()
            // Only a reset distinguishes the end of truncated content from that of content that ends with the connection.
            exchange.abort(resets: framing == .untilClose)
        }
    }

    private func end(_ response: StreamingResponse, contentBytes: Int, isComplete: Bool) {
        report?.end(
            status: response.status,
            response.cacheStatus,
            contentBytes: contentBytes,
            isComplete: isComplete
        )
    }

    private func head(of response: StreamingResponse, _ framing: ForwardedFraming, _ persists: Bool)
        -> [UInt8]
    {
        var text = ResponseText(response.response.status)
        let fields = PassedFields.of(response: response.response.headerFields)
        text.add(fields)
        // RFC 9110 §6.6.1: a response that is forwarded without a date gets the date of its receipt.
        if !fields.contains(.date) {
            text.add(.date, HTTPDate(secondsSinceEpoch: handler.clock.timeSinceEpoch.wholeSeconds).text)
        }
        framing.add(to: &text)
        text.addOwn(response, endsConnection: !persists, isHTTP11: isHTTP11)
        text.end()
        return text.bytes
    }

    // MARK: Failures

    private func fail(_ error: ClientError, _ method: HTTPRequest.Method) {
        handler.metrics.countError()
        if let problem = contentProblem(after: error) {
            return answer(problem.status, problem.explanation, method)
        }
        switch error.cause?.kind {
        case .timedOut: answer(504, "The origin did not respond in time.", method, error.cacheStatus)
        case .addressRefused: answer(403, Self.refusal(error), method, error.cacheStatus)
        case .lengthRequired: answer(411, error.cause?.detail ?? error.description, method, error.cacheStatus)
        case .badURL: answer(400, error.description, method)
        case .unsupportedURL: answer(501, error.description, method)
        default:
            let reason = error.cause?.detail ?? error.description
            answer(502, "The origin sent no usable response: \(reason)", method, error.cacheStatus)
        }
    }

    /// Returns the problem of the request's content that explains an error.
    ///
    /// An origin that waits for content which the client does not send is not the one that is slow.
    private func contentProblem(after error: ClientError) -> RequestProblem? {
        let isClientSlow = error.cause?.kind == .timedOut && exchange.awaitsContent
        return exchange.contentProblem ?? (isClientSlow ? .tooSlow : nil)
    }

    private static func refusal(_ error: ClientError) -> String {
        (error.cause?.detail ?? error.description)
            + " This proxy connects only to public addresses and those permitted by --allow ADDRESS/BITS."
    }

    private func answer(
        _ status: Int,
        _ reason: String,
        _ method: HTTPRequest.Method,
        _ cacheStatus: CacheStatus? = nil
    ) {
        let persists = exchange.request.isPersistent && exchange.hasWholeContent
        var response = OwnResponse(status: status, reason: reason, clock: handler.clock)
        response.cacheStatus = cacheStatus
        (response.endsConnection, response.isHead) = (!persists, method == .head)
        let isSent = exchange.writeNow(response.bytes)
        exchange.finish(isPersistent: persists)
        report?.end(
            status: isSent ? status : nil,
            cacheStatus,
            contentBytes: isSent ? response.contentCount : 0,
            isComplete: isSent
        )
    }
}

/// Forwards interim responses as they arrive (RFC 9110 §15.2).
struct InterimRelay: LoadObserver {
    let exchange: StreamExchange

    func observe(_ event: LoadEvent) {}

    func observe(interim response: HTTPResponse) {
        // The gateway itself sends 100 to a client that waits for it, once the origin wants the content; 101 answers an
        // upgrade that was not requested.
        let isOwn = response.status.code == 100 && exchange.request.expectsContinue
        guard response.status.code != 101, !isOwn else { return }
        var text = ResponseText(response.status)
        text.add(PassedFields.of(response: response.headerFields))
        text.addVia()
        text.end()
        exchange.writeNow(text.bytes)
    }
}
