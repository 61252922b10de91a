public import AsyncHTTPClient
public import CacheSemantics
public import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// AsyncHTTPClient with a cache in memory that obeys RFC 9111.
///
/// It is called like the client: `try await cache.execute(request, timeout: .seconds(30))`. The engine decides, the
/// client below sends. Content is held in memory, in responses and in the store.
public actor CachingHTTPClient {
    /// The configuration of a client below a cache: redirects and content codings are left to the cache's caller.
    public static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.decompression = .disabled
        return configuration
    }

    private let client: HTTPClient
    private let engine: CacheEngine
    private let largestContent: ByteCount
    private let now: @Sendable () -> HTTPDate
    private var store: MemoryEngineStore
    private var validations: [Int: Task<Void, Never>] = [:]
    private var lastValidation = 0

    /// Creates a cache over a client, which has to be made with `configuration` and is the caller's to shut down.
    ///
    /// - Parameters:
    ///   - client: What sends requests.
    ///   - kind: Private for the client of one user, shared for a proxy.
    ///   - capacity: The most that is stored.
    ///   - largestContent: The most content of a response that is read.
    ///   - now: The wall clock, by default that of the system.
    public init(
        _ client: HTTPClient,
        kind: CacheKind = .private,
        capacity: ByteCount = .mebibytes(64),
        largestContent: ByteCount = .mebibytes(64),
        now: @escaping @Sendable () -> HTTPDate = {
            HTTPDate(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
        }
    ) {
        self.client = client
        self.largestContent = largestContent
        self.now = now
        engine = CacheEngine(kind: kind)
        store = MemoryEngineStore(capacity: capacity)
    }

    /// Returns the response to a request, from the store or from the origin.
    ///
    /// Throws the client's error, or a `CacheFailure` if there is no response for another reason.
    public func execute(
        _ request: HTTPClientRequest,
        policy: RequestCachePolicy = .useProtocolCachePolicy,
        timeout: TimeAmount = .seconds(60)
    ) async throws -> HTTPClientResponse {
        let call = Call(content: try await content(of: request), timeout: timeout)
        let reply = try await reply(to: HTTPRequest(request), call, policy: policy)
        return HTTPClientResponse(reply)
    }

    /// Returns the response to a request with its source, findings and the reason why it was forwarded.
    public func reply(
        to request: HTTPRequest,
        content: [UInt8] = [],
        policy: RequestCachePolicy = .useProtocolCachePolicy,
        timeout: TimeAmount = .seconds(60)
    ) async throws -> CacheReply {
        try await reply(to: request, Call(content: content, timeout: timeout), policy: policy)
    }

    /// Removes everything that is stored.
    public func removeAll() { store.removeAll() }

    /// Returns when no validation in the background is left.
    public func finishValidations() async {
        for task in validations.values { await task.value }
    }

    // MARK: Steps

    /// What is sent with each exchange for a request.
    private struct Call {
        let content: [UInt8]
        let timeout: TimeAmount
    }

    private func reply(
        to request: HTTPRequest,
        _ call: Call,
        policy: RequestCachePolicy
    ) async throws -> CacheReply {
        var step = engine.begin(request, content: call.content, policy: policy, in: &store, at: now())
        var failure: (any Error)?
        while true {
            switch step {
            case .respond(let reply): return try whole(reply)
            case .respondAndValidate(let reply, let exchange):
                validate(exchange, call)
                return try whole(reply)
            case .send(let exchange):
                let received = await received(exchange, call)
                failure = received.error ?? failure
                step = engine.finish(exchange, with: received.reply, in: &store, at: received.time)
            case .fail(let reason): throw failure ?? reason
            }
        }
    }

    /// Returns a response; throws if its content broke off.
    private func whole(_ reply: CacheReply) throws -> CacheReply {
        guard reply.isComplete else { throw HTTPClientError.remoteConnectionClosed }
        return reply
    }

    /// Validates a stored response for which the caller does not wait (RFC 5861 §3).
    private func validate(_ exchange: CacheExchange, _ call: Call) {
        lastValidation += 1
        let number = lastValidation
        validations[number] = Task {
            var next: CacheStep = .send(exchange)
            while case .send(let exchange) = next {
                let received = await received(exchange, call)
                next = engine.finish(exchange, with: received.reply, in: &store, at: received.time)
            }
            validations[number] = nil
        }
    }

    // MARK: The network

    /// What came back, when its head arrived, and the client's error.
    private struct Received {
        let reply: UpstreamReply
        let time: HTTPDate
        var error: (any Error)?
    }

    private func received(_ exchange: CacheExchange, _ call: Call) async -> Received {
        let request = HTTPClientRequest(exchange.request, content: call.content)
        let response: HTTPClientResponse
        do {
            response = try await send(request, timeout: call.timeout)
        } catch let error as HTTPParserError {
            return Received(reply: .invalid, time: now(), error: error)
        } catch {
            return Received(reply: .failure, time: now(), error: error)
        }
        let time = now()
        let head = HTTPResponse(response)
        var content: [UInt8] = []
        do {
            for try await part in response.body {
                content.append(contentsOf: part.readableBytesView)
                if content.count > largestContent.bytes { throw HTTPClientError.remoteConnectionClosed }
            }
        } catch {
            return Received(reply: .response(head, content: content, isComplete: false), time: time)
        }
        return Received(reply: .response(head, content: content, isComplete: true), time: time)
    }

    /// Sends a request, and once more if the origin had closed the connection that the client had kept for it.
    ///
    /// A request may be repeated without asking if its method is idempotent (RFC 9110 §9.2.2, RFC 9112 §9.3.1).
    private func send(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        do {
            return try await client.execute(request, timeout: timeout)
        } catch  where Self.isClosedConnection(error) && Self.idempotentMethods.contains(request.method) {
            return try await client.execute(request, timeout: timeout)
        }
    }

    private static func isClosedConnection(_ error: any Error) -> Bool {
        error as? ChannelError == .ioOnClosedChannel || error as? HTTPClientError == .remoteConnectionClosed
    }

    private static let idempotentMethods: [HTTPMethod] = [.GET, .HEAD, .OPTIONS, .TRACE, .PUT, .DELETE]

    private func content(of request: HTTPClientRequest) async throws -> [UInt8] {
        guard let body = request.body else { return [] }
        var content: [UInt8] = []
        for try await part in body { content.append(contentsOf: part.readableBytesView) }
        return content
    }
}

// MARK: Forms of messages

extension HTTPRequest {
    /// A client's request in the engine's form, without content.
    init(_ request: HTTPClientRequest) {
        let scheme = request.url.prefix { $0 != ":" }
        let rest = request.url.dropFirst(scheme.count + "://".count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let target = rest.dropFirst(authority.count).prefix { $0 != "#" }
        self.init(
            method: Method(request.method.rawValue) ?? .get,
            scheme: scheme.lowercased(),
            authority: String(authority),
            path: target.hasPrefix("/") ? String(target) : "/" + target,
            headerFields: HTTPFields(request.headers)
        )
    }
}

extension HTTPClientRequest {
    /// A request of the engine, with its content, in the client's form.
    init(_ request: HTTPRequest, content: [UInt8]) {
        self.init(url: "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")")
        method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        if !content.isEmpty { body = .bytes(content, length: .known(Int64(content.count))) }
    }
}

extension HTTPResponse {
    /// The head of a client's response.
    init(_ response: HTTPClientResponse) {
        self.init(
            status: .init(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase),
            headerFields: HTTPFields(response.headers)
        )
    }
}

extension HTTPClientResponse {
    /// A cache's response in the client's form.
    init(_ reply: CacheReply) {
        var headers = HTTPHeaders()
        for field in reply.head.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        let status = HTTPResponseStatus(
            statusCode: reply.head.status.code,
            reasonPhrase: reply.head.status.reasonPhrase
        )
        self.init(status: status, headers: headers, body: .bytes(ByteBuffer(bytes: reply.content)))
    }
}

extension HTTPFields {
    /// The fields of a message, in order; one whose name is invalid is left out.
    init(_ headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
