/// Convenience methods for common requests.
extension FetchSession {
    /// Makes a GET, with parameters in the query.
    public nonisolated(nonsending) func get(_ path: String, _ parameters: Parameters = [:])
        async throws(FetchError) -> FetchResponse
    {
        try await send(.get(path, parameters))
    }

    /// Makes a POST, with parameters in the content.
    public nonisolated(nonsending) func post(_ path: String, _ parameters: Parameters = [:])
        async throws(FetchError) -> FetchResponse
    {
        try await send(.post(path, parameters))
    }

    /// Makes a PUT, with parameters in the content.
    public nonisolated(nonsending) func put(_ path: String, _ parameters: Parameters = [:])
        async throws(FetchError) -> FetchResponse
    {
        try await send(.put(path, parameters))
    }

    /// Makes a DELETE, with parameters in the query.
    public nonisolated(nonsending) func delete(_ path: String, _ parameters: Parameters = [:])
        async throws(FetchError)
        -> FetchResponse
    {
        try await send(.delete(path, parameters))
    }

    /// Starts a request and calls one of the callbacks once, in the context that the configuration names.
    ///
    /// `failure` receives the request, the error, and the status if there was a response.
    @discardableResult
    public func start(
        _ request: FetchRequest,
        success: (@Sendable (FetchValue) -> Void)?,
        failure: (@Sendable (RequestModel, FetchError, Int?) -> Void)? = nil
    ) -> FetchTask {
        start(request) { result in
            switch result {
            case .success(let response): success?(response.value)
            case .failure(let error):
                if let request = error.request { failure?(request, error, error.status) }
            }
        }
    }
}
