#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension FetchResponse {
    /// The content as a type of the caller's, which JSON is decoded into.
    ///
    /// Throws `undecodable`, with the place in the content, where it does not fit.
    public func decoded<Value: Decodable>(
        _ type: Value.Type,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(FetchError) -> Value {
        do {
            return try decoder.decode(type, from: Data(body))
        } catch {
            throw FetchError(.undecodable, "The content does not fit \(type): \(error)")
        }
    }
}

extension FetchSession {
    /// Makes a request and returns its content as a type of the caller's, which JSON is decoded into.
    public func send<Value: Decodable & Sendable>(
        _ request: FetchRequest,
        as type: Value.Type
    ) async throws(FetchError) -> Value {
        let response = try await send(request)
        do throws(FetchError) {
            return try response.decoded(type)
        } catch {
            throw error.of(response.request)
        }
    }
}
