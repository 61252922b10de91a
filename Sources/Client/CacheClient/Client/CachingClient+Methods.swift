public import HTTPTypes

extension CachingClient {
    /// Gets a resource, from the cache where it may be used.
    ///
    /// The URL is absolute. Throws if there is no response; a status such as 404 is a response. See `fetch(_:observer:)`
    /// for cancellation.
    public nonisolated(nonsending) func get(
        _ url: String,
        fields: HTTPFields = [:]
    ) async throws(ClientError) -> ClientResponse {
        try await fetch(ClientRequest(url: url, fields: fields))
    }

    /// Sends content to a resource, and invalidates what is stored of it if that succeeds (RFC 9111 §4.4).
    ///
    /// `fields` should name the media type: `[.contentType: "application/json"]`.
    public nonisolated(nonsending) func post(
        _ url: String,
        body: [UInt8],
        fields: HTTPFields = [:]
    ) async throws(ClientError) -> ClientResponse {
        try await fetch(ClientRequest(url: url, method: .post, fields: fields, body: .bytes(body)))
    }
}
