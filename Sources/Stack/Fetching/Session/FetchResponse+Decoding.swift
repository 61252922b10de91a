#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension FetchResponse {
    /// Decodes the content, which must be JSON, as a type.
    ///
    /// Throws `undecodable`, with the position in the content, if it does not match the type.
    public func decoded<Value: Decodable>(
        _ type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(FetchError) -> Value {
        do {
            return try decoder.decode(type, from: Data(body))
        } catch {
            throw FetchError(.undecodable, "The content does not match \(type): \(error)")
        }
    }
}

extension FetchSession {
    /// Makes a request and decodes its content, which must be JSON, as a type.
    public func send<Value: Decodable & Sendable>(
        _ request: FetchRequest,
        as type: Value.Type
    ) async throws(FetchError) -> Value {
        let response = try await send(request)
        do throws(FetchError) { return try response.decoded(type) } catch { throw error.of(response.request) }
    }
}
