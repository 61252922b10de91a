import CacheClient
import HTTPTypes
import Locks

/// Sends a token (RFC 6750) with every request, and gets a new one when the server refuses it: once for all who wait.
public final class TokenInterceptor: Interceptor {
    private struct State {
        var token: String?
        var renewal: Renewal?
    }
    /// What comes of getting a token.
    private typealias Renewal = OneShot<Result<String, FetchError>>
    private let state: Lock<State>
    private let refusals: Set<Int>
    private let limit: Int
    private let renew: @Sendable (String?) async throws(FetchError) -> String

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - token: The token to begin with; without one, the first request gets one first.
    ///   - refusals: Status codes by which the server refuses a token.
    ///   - limit: How often one request may be sent again with a new token.
    ///   - renew: Gets a new token; it is given the refused one, and must not send through this interceptor.
    public init(
        _ token: String? = nil,
        refusals: Set<Int> = [401],
        limit: Int = 1,
        renew: @escaping @Sendable (String?) async throws(FetchError) -> String
    ) {
        state = Lock(State(token: token))
        self.refusals = refusals
        self.limit = limit
        self.renew = renew
    }

    /// The present token; `nil` before the first.
    public var token: String? {
        get { state.withLock { $0.token } }
        set { state.withLock { $0.token = newValue } }
    }

    /// Adds the token, which may have to be got first.
    public func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest {
        var request = request
        let token = try await currentToken()
        request.fields[.authorization] = "Bearer " + token
        return request
    }

    /// Gets a new token where the one that was sent is refused, unless another request has done so meanwhile.
    public func didReceive(
        _ result: ReceivedResult,
        of request: OutgoingRequest
    ) async -> InterceptorDecision {
        guard case .success(let response) = result, refusals.contains(response.response.status.code),
            request.earlierAttempts < limit
        else { return .proceed }
        let sent = request.fields[.authorization].map { String($0.dropFirst("Bearer ".count)) }
        switch await renewal(of: sent) {
        case nil: return .retry(after: .zero)
        case .success: return .retry(after: .zero)
        case .failure(let error): return .replace(.failure(error))
        }
    }

    private func currentToken() async throws(FetchError) -> String {
        let (token, pending) = state.withLock { ($0.token, $0.renewal) }
        if let pending { return try await wait(for: pending).get() }
        if let token { return token }
        guard let renewed = await renewal(of: nil) else { return try await currentToken() }
        return try renewed.get()
    }

    /// Joins, or begins, the getting of a token in the place of `refused`; `nil` where there is another already.
    private func renewal(of refused: String?) async -> Result<String, FetchError>? {
        let (pending, begins): (Renewal?, Bool) = state.withLock { state in
            if let pending = state.renewal { return (pending, false) }
            guard state.token == refused else { return (nil, false) }
            let renewal = Renewal()
            state.renewal = renewal
            return (renewal, true)
        }
        guard let pending else { return nil }
        if begins { begin(pending, refused) }
        return await wait(for: pending)
    }

    /// A task of its own: who waits may go without taking the token from the others.
    private func begin(_ renewal: Renewal, _ refused: String?) {
        Task { [self] in
            let result: Result<String, FetchError>
            do throws(FetchError) {
                result = .success(try await renew(refused))
            } catch {
                result = .failure(error)
            }
            state.withLock { state in
                if case .success(let token) = result { state.token = token }
                state.renewal = nil
            }
            renewal.fire(result)
        }
    }

    /// Waits for a token, but not after the task was cancelled.
    private func wait(for renewal: Renewal) async -> Result<String, FetchError> {
        let mine = Renewal()
        Task { mine.fire(await renewal.wait()) }
        return await withTaskCancellationHandler {
            await mine.wait()
        } onCancel: {
            mine.fire(.failure(.cancelled))
        }
    }
}
