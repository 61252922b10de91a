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

    /// Sends content to a resource, and invalidates its stored responses if that succeeds (RFC 9111 §4.4).
    ///
    /// `fields` should name the media type: `[.contentType: "application/octet-stream"]`.
    public nonisolated(nonsending) func post(
        _ url: String,
        body: [UInt8],
        fields: HTTPFields = [:]
    ) async throws(ClientError) -> ClientResponse {
        try await send(.post, url, .bytes(body), fields)
    }

    /// Sends a text to a resource in UTF-8, as text/plain unless `fields` names another media type, and invalidates what is
    /// stored of it if that succeeds (RFC 9111 §4.4).
    public nonisolated(nonsending) func post(
        _ url: String,
        text: String,
        fields: HTTPFields = [:]
    ) async throws(ClientError) -> ClientResponse {
        try await send(.post, url, .text(text), fields.naming(Self.plainText))
    }

    /// Replaces a resource, and invalidates its stored responses if that succeeds (RFC 9111 §4.4).
    ///
    /// `fields` should name the media type: `[.contentType: "application/octet-stream"]`.
    public nonisolated(nonsending) func put(
        _ url: String,
        body: [UInt8],
        fields: HTTPFields = [:]
    ) async throws(ClientError) -> ClientResponse {
        try await send(.put, url, .bytes(body), fields)
    }

    /// Replaces a resource with a text in UTF-8, as text/plain unless `fields` names another media type, and invalidates what is
    /// stored of it if that succeeds (RFC 9111 §4.4).
    public nonisolated(nonsending) func put(
        _ url: String,
        text: String,
        fields: HTTPFields = [:]
    ) async throws(ClientError) -> ClientResponse {
        try await send(.put, url, .text(text), fields.naming(Self.plainText))
    }

    /// Deletes a resource, and invalidates its stored responses if that succeeds (RFC 9111 §4.4).
    public nonisolated(nonsending) func delete(
        _ url: String,
        fields: HTTPFields = [:]
    ) async throws(ClientError) -> ClientResponse {
        try await send(.delete, url, nil, fields)
    }

    private nonisolated(nonsending) func send(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ body: RequestBody?,
        _ fields: HTTPFields
    ) async throws(ClientError) -> ClientResponse {
        try await fetch(ClientRequest(url: url, method: method, fields: fields, body: body))
    }

    private static let plainText = "text/plain; charset=utf-8"
}

extension HTTPFields {
    /// Returns the fields with a media type, unless they name one.
    package func naming(_ mediaType: String) -> HTTPFields {
        var fields = self
        if !contains(.contentType) { fields[.contentType] = mediaType }
        return fields
    }
}
