import CacheClient
import Clocks
import HTTPTypes

/// One request on its way: application cache, interceptors, gate, client, interceptors, serializer, application cache.
struct FetchLoad: Sendable {
    private let resolved: ResolvedRequest
    private let configuration: FetchConfiguration
    private let session: FetchSession
    private let desk: EventDesk
    private let passage: Passage

    init(
        _ resolved: ResolvedRequest,
        _ configuration: FetchConfiguration,
        session: FetchSession,
        desk: EventDesk,
        passage: Passage
    ) {
        self.resolved = resolved
        self.configuration = configuration
        self.session = session
        self.desk = desk
        self.passage = passage
    }

    private var model: RequestModel { resolved.model }

    func run() async -> Result<FetchResponse, FetchError> {
        do throws(FetchError) {
            if let response = await loadFromCache() { return .success(tell(response)) }
            let (received, attempts) = try await exchange()
            let response = tell(try accept(received, attempts))
            await store(response)
            return .success(response)
        } catch {
            let error = error.of(model)
            desk.tell(.failed(model, error))
            return .failure(error)
        }
    }

    private func tell(_ response: FetchResponse) -> FetchResponse {
        desk.tell(.succeeded(model, response))
        return response
    }

    // MARK: The application cache

    private func loadFromCache() async -> FetchResponse? {
        guard model.loadsCache, let cache = session.cache else { return nil }
        var reading = await cache.read(model.identifier, resolved.context(configuration))
        var response: FetchResponse?
        if case .hit(let result) = reading {
            do throws(FetchError) {
                response = try result.response(model, resolved.serializer)
            } catch {
                // What cannot be read is of no use to anybody.
                await cache.remove(model.identifier)
                reading = .miss(.damaged("\(error)"))
            }
        }
        desk.tell(.cacheRead(model, reading))
        return response
    }

    private func store(_ response: FetchResponse) async {
        guard model.cacheDuration > .zero, let cache = session.cache else { return }
        let result = await cache.write(
            response,
            model.identifier,
            for: model.cacheDuration,
            resolved.context(configuration)
        )
        desk.tell(.cacheWritten(model, result, response))
    }

    // MARK: The exchange

    private func exchange() async throws(FetchError) -> (ClientResponse, attempts: Int) {
        var attempts = 0
        var refusal: HTTPResponse?
        while true {
            var request = try resolved.compose(configuration, after: refusal, earlierAttempts: attempts)
            for interceptor in configuration.interceptors {
                request = try await interceptor.willSend(request)
            }
            let result = try await send(request)
            attempts += 1
            if refusal == nil, let asked = resolved.refusalToAnswer(result) {
                refusal = asked
                continue
            }
            switch await judge(result, of: request) {
            case .proceed: return (try result.get(), attempts)
            case .replace(let other): return (try other.get(), attempts)
            case .retry(let delay):
                desk.tell(.retrying(model, after: delay, attempt: attempts + 1))
                try await wait(delay)
            }
        }
    }

    /// Sends a request once, when it is its turn.
    private func send(_ request: OutgoingRequest) async throws(FetchError) -> ReceivedResult {
        try await passage.gate?.enter(priority: resolved.request.priority)
        defer { passage.gate?.leave() }
        try await session.gate.enter(priority: resolved.request.priority)
        defer { session.gate.leave() }
        guard !Task.isCancelled else { throw .cancelled }
        desk.tell(.started(model, request, attempt: request.earlierAttempts + 1))
        passage.didStart()
        return await session.fetch(resolved.clientRequest(request, configuration))
    }

    /// Asks the interceptors, the last first; the first who wants it otherwise decides.
    private func judge(
        _ result: ReceivedResult,
        of request: OutgoingRequest
    ) async -> InterceptorDecision {
        if case .failure(let error) = result, error.kind == .cancelled { return .proceed }
        var current = result
        var isReplaced = false
        for interceptor in configuration.interceptors.reversed() {
            switch await interceptor.didReceive(current, of: request) {
            case .proceed: continue
            case .replace(let other): (current, isReplaced) = (other, true)
            case .retry(let delay): return .retry(after: delay)
            }
        }
        return isReplaced ? .replace(current) : .proceed
    }

    private func wait(_ delay: Duration) async throws(FetchError) {
        guard delay > .zero else {
            if Task.isCancelled { throw .cancelled }
            return
        }
        do {
            try await session.clock.sleep(for: delay)
        } catch {
            throw .cancelled
        }
    }

    // MARK: The result

    /// Judges status and content.
    private func accept(_ received: ClientResponse, _ attempts: Int) throws(FetchError) -> FetchResponse {
        do throws(FetchError) {
            guard configuration.acceptableStatus.contains(received.response.status.code) else {
                throw FetchError(.unacceptableStatus, "The server answered \(received.response.status.code).")
            }
            return FetchResponse(
                request: model,
                response: received.response,
                body: received.body,
                value: try resolved.serializer.value(
                    received.response,
                    received.body,
                    isHead: model.method == .head
                ),
                source: .client(received.source),
                attempts: attempts,
                clientResponse: received
            )
        } catch {
            var error = error
            error.status = received.response.status.code
            error.body = received.body
            error.mediaType =
                ReceivedContent(contentType: received.response.headerFields[.contentType], bytes: [])
                .mediaType
            throw error
        }
    }
}

extension ResolvedRequest {
    /// What the client is asked for.
    func clientRequest(_ request: OutgoingRequest, _ configuration: FetchConfiguration) -> ClientRequest {
        ClientRequest(
            url: request.url,
            method: request.method,
            fields: request.fields,
            body: request.body,
            policy: self.request.policy ?? configuration.policy,
            timeout: self.request.timeout ?? configuration.timeout
        )
    }

    /// What an entry of the application cache must agree with.
    func context(_ configuration: FetchConfiguration) -> CacheContext {
        CacheContext(applicationVersion: configuration.applicationVersion, defaults: defaults)
    }

    /// The response that asks for what the credential can tell; `nil` where none does.
    func refusalToAnswer(_ result: ReceivedResult) -> HTTPResponse? {
        guard fields[.authorization] == nil, case .success(let received) = result,
            credential?.answer(to: received.response, method: model.method, url: model.url) != nil
        else { return nil }
        return received.response
    }
}

extension ResponseSerializer {
    /// The value of a response; `nothing` where there can be, or is, no content.
    func value(
        _ response: HTTPResponse,
        _ body: [UInt8],
        isHead: Bool = false
    ) throws(FetchError) -> FetchValue {
        let status = response.status.code
        guard !isHead, status != 204, status != 205, !body.isEmpty else { return .nothing }
        let content = ReceivedContent(
            contentType: response.headerFields[.contentType],
            bytes: body,
            status: status
        )
        guard accepts(mediaType: content.mediaType) else {
            let type = content.mediaType.map { "the media type \"\($0)\"" } ?? "content without a media type"
            throw FetchError(.unacceptableType, "No serializer takes \(type).")
        }
        return try value(of: content)
    }
}

extension FetchSession {
    /// Asks the client; where there is no network only its cache answers.
    func fetch(_ request: ClientRequest) async -> ReceivedResult {
        if let reachability { client.isOnline = reachability.status != .unreachable }
        do throws(ClientError) {
            let response = try await cookies.tracking(request) { () throws(ClientError) in
                try await client.fetch(request)
            }
            return .success(response)
        } catch {
            return .failure(FetchError(error))
        }
    }
}
