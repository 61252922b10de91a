public import CacheClient
public import Foundation
public import HTTPTypes

extension RequestBody {
    /// A value as JSON.
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
        let body = try RequestBody.json(value, encoder: encoder)
        return try await fetch(
            ClientRequest(url: url, method: .post, fields: fields.naming("application/json"), body: body)
        )
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
        let body = try RequestBody.json(value, encoder: encoder)
        return try await fetch(
            ClientRequest(url: url, method: .put, fields: fields.naming("application/json"), body: body)
        )
    }
}
