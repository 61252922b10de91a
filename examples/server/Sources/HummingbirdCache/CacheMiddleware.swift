public import CacheSemantics
public import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A shared cache of what the handlers after it return, which obeys RFC 9111.
///
///     router.add(middleware: CacheMiddleware())
///     router.get("/users") { _, _ in … }
///
/// A handler decides by Cache-Control and validators what is reused. Content is held in memory. A stale response that
/// stale-while-revalidate permits is validated before it is returned: `next` ends with the request.
public struct CacheMiddleware<Context: RequestContext>: RouterMiddleware {
    private let engine: CacheEngine
    private let store: NIOLockedValueBox<MemoryEngineStore>
    private let largestContent: ByteCount
    private let now: @Sendable () -> HTTPDate

    /// Creates a cache with an empty store.
    ///
    /// - Parameters:
    ///   - kind: Shared, unless every user has a server of their own.
    ///   - capacity: The most that is stored.
    ///   - largestContent: The most content of a request that is read.
    ///   - now: The wall clock, by default that of the system.
    public init(
        kind: CacheKind = .shared,
        capacity: ByteCount = .mebibytes(64),
        largestContent: ByteCount = .mebibytes(4),
        now: @escaping @Sendable () -> HTTPDate = {
            HTTPDate(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
        }
    ) {
        var engine = CacheEngine(kind: kind)
        engine.servesSeveralUsers = kind == .shared
        self.engine = engine
        self.largestContent = largestContent
        self.now = now
        store = NIOLockedValueBox(MemoryEngineStore(capacity: capacity))
    }

    /// Removes everything that is stored.
    public func removeAll() { store.withLockedValue { $0.removeAll() } }

    /// Returns the response to a request, from the store or from the next handler.
    public func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var request = request
        let content = Array(buffer: try await request.collectBody(upTo: largestContent.bytes))
        let head = request.head.complete
        // `begin` and `finish` each run under the lock, and nothing waits while it is held.
        var step = store.withLockedValue { engine.begin(head, content: content, in: &$0, at: now()) }
        var (stale, failure): (CacheReply?, (any Error)?) = (nil, nil)
        while true {
            let exchange: CacheExchange
            switch step {
            case .respond(let reply): return try Response(stale.map { reply.orStale($0) } ?? reply)
            case .fail(let reason):
                if let stale { return try Response(stale) }
                throw failure ?? HTTPError(.badGateway, message: "\(reason)")
            case .send(let planned): exchange = planned
            case .respondAndValidate(let reply, let planned): (stale, exchange) = (reply, planned)
            }
            let received = await received(exchange, request.body, context, next)
            failure = received.error ?? failure
            step = store.withLockedValue {
                engine.finish(exchange, with: received.reply, in: &$0, at: received.time)
            }
        }
    }

    // MARK: The next handler

    /// What the next handler returned, when, and its error.
    private struct Received {
        let reply: UpstreamReply
        let time: HTTPDate
        var error: (any Error)?
    }

    private func received(
        _ exchange: CacheExchange,
        _ body: RequestBody,
        _ context: Context,
        _ next: (Request, Context) async throws -> Response
    ) async -> Received {
        let request = Request(head: exchange.request, body: body)
        let response: Response
        do {
            response = try await next(request, context)
        } catch let error as any HTTPResponseError {
            // A handler that throws a status has responded.
            guard let made = try? error.response(from: request, context: context) else {
                return Received(reply: .failure, time: now(), error: error)
            }
            response = made
        } catch {
            return Received(reply: .failure, time: now(), error: error)
        }
        let time = now()
        let collector = Collector()
        do {
            try await response.body.write(collector)
        } catch {
            let part = collector.content
            return Received(
                reply: .response(response.head, content: part, isComplete: false),
                time: time,
                error: error
            )
        }
        return Received(
            reply: .response(response.head, content: collector.content, isComplete: true),
            time: time
        )
    }
}

/// Collects the content of a response; used by one task only.
private final class Collector: ResponseBodyWriter {
    private(set) var content: [UInt8] = []

    func write(_ buffer: ByteBuffer) { content.append(contentsOf: buffer.readableBytesView) }

    func finish(_ trailingHeaders: HTTPFields?) {}
}

extension CacheReply {
    /// What the caller of a validation gets: the stale response, which it could have had before, in place of a failure.
    fileprivate func orStale(_ stale: CacheReply) -> CacheReply {
        head.status.kind == .serverError || !isComplete ? stale : self
    }
}

extension HTTPRequest {
    /// The request with a scheme and a path, both of which belong to the cache key.
    fileprivate var complete: HTTPRequest {
        var request = self
        request.scheme = request.scheme ?? "http"
        request.path = request.path ?? "/"
        return request
    }
}

extension Response {
    /// A cache's response; throws if its content broke off.
    fileprivate init(_ reply: CacheReply) throws {
        guard reply.isComplete else { throw HTTPError(.badGateway, message: "The content broke off.") }
        self.init(
            status: reply.head.status,
            headers: reply.head.headerFields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.content))
        )
        // Hummingbird adds the length of every body; RFC 9110 §8.6: not to a 204.
        if status == .noContent { headers[.contentLength] = nil }
    }
}
