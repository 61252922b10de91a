import CacheClient
import HTTPTypes
import Locks

/// Sends a bearer token (RFC 6750) with every request, and renews it once for all waiting requests if the
/// server rejects it.
public final class TokenInterceptor: Interceptor {
    private struct State {
        var token: String?
        var renewal: Renewal?
    }
    /// The pending result of a renewal.
    private typealias Renewal = FetchPromise<Result<String, FetchError>>
    private let state: Lock<State>
    private let refusals: Set<Int>
    private let limit: Int
    private let renew: @Sendable (String?) async throws(FetchError) -> String

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - token: The initial token; without one, the first request obtains one.
    ///   - refusals: Status codes with which the server rejects a token.
    ///   - limit: How many times a request may be retried with a new token.
    ///   - renew: Obtains a new token in place of the rejected one, which is its argument; must not send through this interceptor.
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

    /// The current token; `nil` before the first one is obtained.
    public var token: String? {
        get { state.withLock { $0.token } }
        set { state.withLock { $0.token = newValue } }
    }

    /// Adds the token, which is obtained first if there is none.
    public func willSend(_ request: OutgoingRequest) async throws(FetchError) -> OutgoingRequest {
        var request = request
        let token = try await currentToken()
        request.fields[.authorization] = "Bearer " + token
        return request
    }

    /// Renews the token if the one that was sent was rejected, unless another request has renewed it already.
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

    /// Joins or starts the renewal of a rejected token; returns `nil` if the token has changed already.
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

    /// Renews the token in a separate task: cancelling one waiting request must not cancel the renewal for the others.
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
            renewal.fulfill(result)
        }
    }

    /// Waits for a renewal, until the task is cancelled.
    private func wait(for renewal: Renewal) async -> Result<String, FetchError> {
        let mine = Renewal()
        Task { mine.fulfill(await renewal.wait()) }
        return await withTaskCancellationHandler {
            await mine.wait()
        } onCancel: {
            mine.fulfill(.failure(.cancelled))
        }
    }
}
