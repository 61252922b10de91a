import CacheClient
import Clocks
import FaultProxy
import HTTPServing
import HTTPTypes
import MockOrigin
import WireSyntax

/// Forwards one request to the origin, and the response to the client.
struct PassingExchange: Sendable {
    let exchange: StreamExchange
    let handler: RecordingHandler

    func run() async {
        guard let (origin, target) = destination,
            let method = HTTPRequest.Method(text(exchange.request.method))
        else { return fail(400, "The request target is not for this proxy.") }
        var body: [UInt8] = []
        do {
            while let piece = try await exchange.nextPiece() { body += piece }
        } catch {
            let problem = exchange.contentProblem
            return fail(problem?.status ?? 400, problem?.explanation ?? "The content ended prematurely.")
        }
        var captured = captured(method, origin, target, body)
        await pass(request(captured, method), &captured)
    }

    /// Returns the exchange as it is recorded, without its response.
    private func captured(
        _ method: HTTPRequest.Method,
        _ origin: String,
        _ target: String,
        _ body: [UInt8]
    ) -> CapturedExchange {
        let response = CapturedExchange.Response(status: 0)
        let now = handler.clock.timeSinceEpoch
        var captured = CapturedExchange(
            method: method.rawValue,
            origin: origin,
            target: target,
            response: response,
            at: now
        )
        captured.requestFields = exchange.request.fields.map {
            CapturedExchange.Field(text($0.name), text($0.value))
        }
        captured.requestBody = body
        return captured
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Origin and target of the request; `nil` if this proxy does not serve it.
    private var destination: (String, String)? {
        let target = text(exchange.request.target)
        if target.hasPrefix("/") { return handler.configuration.mode.origin.map { ($0, target) } }
        guard handler.configuration.mode.forwards, let url = URLParts(target), url.isHTTP else { return nil }
        return (url.origin, url.target)
    }

    private func request(_ captured: CapturedExchange, _ method: HTTPRequest.Method) -> TransportRequest {
        let origin = URLParts(captured.origin)
        let head = HTTPRequest(
            method: method,
            scheme: origin?.scheme,
            authority: origin?.authority,
            path: captured.target,
            headerFields: forwardedFields(captured)
        )
        return TransportRequest(
            head: head,
            body: exchange.request.hasContent ? .bytes(captured.requestBody) : nil
        )
    }

    /// Returns the fields to forward, in order.
    ///
    /// Framing and `Host` are generated; `Expect` is dropped, because the content has already been received.
    private func forwardedFields(_ captured: CapturedExchange) -> HTTPFields {
        let connection = captured.requestFields.filter { $0.isNamed("Connection") }.map(\.value)
        let leftOut = FieldNameSets.ofConnection(connection).union(["host", "content-length", "expect"])
        var fields = HTTPFields()
        for field in exchange.request.fields {
            guard let name = HTTPField.Name(text(field.name)), !leftOut.contains(name.canonicalName) else {
                continue
            }
            fields.append(HTTPField(name: name, lenientValue: sent(field.value, of: name)))
        }
        return fields
    }

    private func sent(_ value: [UInt8], of name: HTTPField.Name) -> [UInt8] {
        guard handler.configuration.asksForReadableCodings, name == .acceptEncoding else { return value }
        return Array(CodedContent.readableCodings(text(value)).utf8)
    }

    // MARK: The response

    private func pass(_ request: TransportRequest, _ captured: inout CapturedExchange) async {
        let (events, sink) = AsyncStream.makeStream(of: PassedEvent.self)
        var count = 0
        var timer = timeout(after: count, sink)
        defer { timer.cancel() }
        let receiver = PassingReceiver(sink)
        let running = handler.transport.start(request, receiver: receiver)
        let begin = handler.clock.elapsed
        var relay = ResponseRelay(exchange: exchange, method: captured.method)
        for await event in events {
            if case .overdue(after: count) = event {
                running.cancel()
                return fail(relay, captured, 504, "the origin did not respond in time")
            }
            timer.cancel()
            count += 1
            do {
                if try await take(event, &relay, &captured, since: begin) { return }
            } catch {
                break
            }
            // Before the timer: the time that the client has taken is not the origin's.
            if receiver.resumes(afterWriting: event) { running.resume() }
            timer = timeout(after: count, sink)
        }
        // The client has disconnected, which cancels this task and thereby ends the events.
        running.cancel()
        // One that has received everything may disconnect at once.
        guard relay.isWhole else { return omit(captured, "the client disconnected") }
        finish(&relay, &captured, handler.clock.elapsed - begin)
    }

    /// Takes an event of the transport; returns whether it was the last one.
    private func take(
        _ event: PassedEvent,
        _ relay: inout ResponseRelay,
        _ captured: inout CapturedExchange,
        since begin: Duration
    ) async throws -> Bool {
        switch event {
        case .interim(let response): try relay.interim(response, &captured)
        case .head(let response):
            captured.answeredAt = handler.clock.timeSinceEpoch
            try await relay.head(response, &captured)
        case .piece(let bytes):
            relay.count(bytes)
            keep(bytes, &captured, relay)
            try await relay.piece(bytes)
        case .overdue: break
        case .end(.success):
            finish(&relay, &captured, handler.clock.elapsed - begin)
            return true
        case .end(.failure(let error)):
            fail(relay, captured, 502, error.detail)
            return true
        }
        return false
    }

    /// Reports the absence of a next event, unless it is cancelled before.
    private func timeout(after count: Int, _ sink: AsyncStream<PassedEvent>.Continuation) -> Sleeper {
        handler.clock.schedule(after: handler.configuration.originTimeout) {
            sink.yield(.overdue(after: count))
        }
    }

    private func keep(_ bytes: [UInt8], _ captured: inout CapturedExchange, _ relay: ResponseRelay) {
        if let limit = handler.configuration.largestContent, relay.count > limit.bytes {
            captured.response.body = []
            return
        }
        captured.response.body += bytes
    }

    private func finish(_ relay: inout ResponseRelay, _ captured: inout CapturedExchange, _ took: Duration) {
        captured.duration = took
        if let limit = handler.configuration.largestContent, relay.count > limit.bytes {
            omit(captured, "its content is larger than \(limit)")
        } else {
            handler.report(.exchange(captured))
        }
        relay.end()
    }

    private func fail(
        _ relay: ResponseRelay,
        _ captured: CapturedExchange,
        _ status: Int,
        _ reason: String
    ) {
        omit(captured, reason)
        if relay.hasHead { return exchange.abort() }
        fail(status, "The origin sent no usable response: \(reason)")
    }

    private func omit(_ captured: CapturedExchange, _ reason: String) {
        handler.report(.omitted("\(captured.requestText): \(reason)"))
    }

    private func fail(_ status: Int, _ reason: String) {
        let isHead = exchange.request.method == Array("HEAD".utf8)
        exchange.writeNow(Self.ownResponse(status, reason, isHead: isHead))
        exchange.finish(isPersistent: false)
    }

    /// Sends a response of the proxy itself.
    static func ownResponse(_ status: Int, _ reason: String, isHead: Bool) -> [UInt8] {
        let content = reason + "\n"
        let head =
            "HTTP/1.1 \(status) \(ReasonPhrase.standard(status))\r\nContent-Type: text/plain\r\n"
            + "Content-Length: \(content.utf8.count)\r\nConnection: close\r\n\r\n"
        return Array((head + (isHead ? "" : content)).utf8)
    }
}
