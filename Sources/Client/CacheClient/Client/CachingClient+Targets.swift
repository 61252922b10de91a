public import CacheSemantics
import HTTPTypes

extension CachingClient {
    /// Returns the primary cache key by which this client looks up a request; `nil` if its URL cannot be used.
    ///
    /// The content of a QUERY is not part of it if it is a stream.
    public func cacheKey(for request: ClientRequest) -> CacheKey? {
        do throws(ClientError) {
            return try Transaction(request, configuration).key(configuration.engine)
        } catch {
            return nil
        }
    }
}

extension CachingClient.Configuration {
    /// Returns the request as it is sent and looked up.
    func prepared(_ request: ClientRequest) -> PreparedRequest {
        normalizesPercentEncoding ? request.prepared.normalizingPercentEncoding() : request.prepared
    }

    /// Normalizes a request that a hook or a redirect has changed.
    func normalize(_ transaction: inout Transaction) {
        if normalizesPercentEncoding { transaction.request.normalizePercentEncoding() }
    }
}
