public import CacheClient
public import Foundation
public import HTTPTypes

extension RequestBody {
    /// Encodes a value as JSON; throws the encoder's error.
    public static func json(
        _ value: some Encodable,
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> RequestBody {
        .bytes(Array(try encoder.encode(value)))
    }
}

extension CachingClient {
    /// Sends a value as JSON to a resource, as application/json unless `fields` names another media type, and invalidates what is
    /// stored of it if that succeeds (RFC 9111 §4.4).
    ///
    /// Throws the encoder's error, or `ClientError` if there is no response.
    public nonisolated(nonsending) func post(
        _ url: String,
        json value: some Encodable,
        encoder: JSONEncoder = JSONEncoder(),
        fields: HTTPFields = [:]
    ) async throws -> ClientResponse {
        try await send(.post, url, .json(value, encoder: encoder), fields)
    }

    /// Replaces a resource with a value as JSON, as application/json unless `fields` names another media type, and invalidates
    /// what is stored of it if that succeeds (RFC 9111 §4.4).
    ///
    /// Throws the encoder's error, or `ClientError` if there is no response.
    public nonisolated(nonsending) func put(
        _ url: String,
        json value: some Encodable,
        encoder: JSONEncoder = JSONEncoder(),
        fields: HTTPFields = [:]
    ) async throws -> ClientResponse {
        try await send(.put, url, .json(value, encoder: encoder), fields)
    }

    private nonisolated(nonsending) func send(
        _ method: HTTPRequest.Method,
        _ url: String,
        _ body: RequestBody,
        _ fields: HTTPFields
    ) async throws(ClientError) -> ClientResponse {
        try await fetch(
            ClientRequest(url: url, method: method, fields: fields.naming("application/json"), body: body)
        )
    }
}
