import CacheClient
import Clocks
import HTTPTypes
import Locks

/// The load of one request: application cache, interceptors, limiter, client, interceptors, serializer,
/// application cache.
struct FetchLoad: Sendable {
    private let resolved: ResolvedRequest
    private let configuration: FetchConfiguration
    private let session: FetchSession
    private let events: EventPublisher
    private let options: StartOptions

    init(
        _ resolved: ResolvedRequest,
        _ configuration: FetchConfiguration,
        session: FetchSession,
        events: EventPublisher,
        options: StartOptions
    ) {
        self.resolved = resolved
        self.configuration = configuration
        self.session = session
        self.events = events
        self.options = options
    }

    private var model: RequestModel { resolved.model }

    func run() async -> Result<FetchResponse, FetchError> {
        do throws(FetchError) {
            if let response = await loadFromCache() { return .success(report(response)) }
            if let response = await loadFromValues() { return .success(report(response)) }
            let (received, attempts) = try await exchange()
            let response = report(try accept(received, attempts))
            await store(response)
            await storeValue(response)
            return .success(response)
        } catch {
            let error = error.of(model)
            events.publish(.failed(model, error))
            return .failure(error)
        }
    }

    private func report(_ response: FetchResponse) -> FetchResponse {
        events.publish(.succeeded(model, response))
        return response
    }

    // MARK: The application cache

    private func loadFromCache() async -> FetchResponse? {
        guard model.loadsCache, let cache = session.cache else { return nil }
        var lookup = await cache.read(model.identifier, resolved.context(configuration))
        var response: FetchResponse?
        if case .hit(let result) = lookup {
            do throws(FetchError) {
                response = try result.response(model, resolved.serializer)
            } catch {
                // Discard an entry that cannot be decoded.
                await cache.remove(model.identifier)
                lookup = .miss(.damaged("\(error)"))
            }
        }
        events.publish(.cacheRead(model, lookup))
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
        events.publish(.cacheWritten(model, result, response))
    }

    // MARK: The cache of values

    private func loadFromValues() async -> FetchResponse? {
        guard let values = configuration.valueCache, resolved.usesCachedValues(configuration),
            let url = resolved.valueKey(configuration), let cached = await values.value(for: url)
        else { return nil }
        return FetchResponse(model, cached)
    }

    private func storeValue(_ response: FetchResponse) async {
        guard let values = configuration.valueCache, let url = resolved.valueKey(configuration) else {
            return
        }
        await values.store(response.value, content: response.body, for: url)
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
            if refusal == nil, let asked = resolved.challengeToAnswer(result) {
                refusal = asked
                continue
            }
            switch await judge(result, of: request) {
            case .proceed: return (try result.get(), attempts)
            case .replace(let other): return (try other.get(), attempts)
            case .retry(let delay):
                events.publish(.retrying(model, after: delay, attempt: attempts + 1))
                try await wait(delay)
            }
        }
    }

    /// Sends a request once, as soon as the limits of concurrent exchanges permit.
    private func send(_ request: OutgoingRequest) async throws(FetchError) -> ReceivedResult {
        let priority = resolved.request.priority
        if let limiter = options.limiter, await !limiter.enter(priority: priority) { throw .cancelled }
        defer { options.limiter?.leave() }
        guard await session.limiter.enter(priority: priority) else { throw .cancelled }
        defer { session.limiter.leave() }
        guard !Task.isCancelled else { throw .cancelled }
        events.publish(.started(model, request, attempt: request.earlierAttempts + 1))
        options.didLeaveQueue()
        return await session.fetch(resolved.clientRequest(request, configuration))
    }

    /// Passes a result to the interceptors, last first, and returns the combined decision.
    private func judge(_ result: ReceivedResult, of request: OutgoingRequest) async -> InterceptorDecision {
        if case .failure(let error) = result, error.kind == .cancelled { return .proceed }
        var (current, isReplaced) = (result, false)
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
        do { try await session.clock.sleep(for: delay) } catch { throw .cancelled }
    }

    // MARK: The result

    /// Checks the status and decodes the content.
    private func accept(_ received: ClientResponse, _ attempts: Int) throws(FetchError) -> FetchResponse {
        do throws(FetchError) {
            guard configuration.acceptableStatus.contains(received.response.status.code) else {
                throw FetchError(
                    .unacceptableStatus,
                    "The server responded with status \(received.response.status.code)."
                )
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
    /// Returns the request for the client.
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

    /// Returns the values that an entry of the application cache must match.
    func context(_ configuration: FetchConfiguration) -> CacheContext {
        CacheContext(applicationVersion: configuration.applicationVersion, defaults: defaults)
    }

    /// Returns the response whose challenge the credential can answer; `nil` if it cannot.
    func challengeToAnswer(_ result: ReceivedResult) -> HTTPResponse? {
        guard fields[.authorization] == nil, case .success(let received) = result,
            credential?.answer(to: received.response, method: model.method, url: model.url) != nil
        else { return nil }
        return received.response
    }
}

extension ResponseSerializer {
    /// Decodes the content of a response; returns `nothing` if there is none, or cannot be any.
    func value(
        _ response: HTTPResponse,
        _ body: [UInt8],
        isHead: Bool = false
    ) throws(FetchError) -> FetchValue {
        let status = response.status.code
        guard !isHead, status != 204, status != 205, !body.isEmpty else { return .nothing }
        let type = response.headerFields[.contentType]
        let content = ReceivedContent(contentType: type, bytes: body, status: status)
        guard accepts(mediaType: content.mediaType) else {
            let what = content.mediaType.map { "the media type \"\($0)\"" } ?? "content without a media type"
            throw FetchError(.unacceptableType, "No serializer accepts \(what).")
        }
        return try value(of: content)
    }
}

extension FetchSession {
    /// Sends a request through the client; without a network, only the client's cache is used.
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
