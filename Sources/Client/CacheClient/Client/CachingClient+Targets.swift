public import CacheSemantics
import HTTPTypes

extension CachingClient {
    /// Returns the primary cache key that a request is looked up by here; `nil` where its URL cannot be used.
    ///
    /// The content of a QUERY that is a stream is not part of it.
    public func cacheKey(for request: ClientRequest) -> CacheKey? {
        do throws(ClientError) {
            return try Hop(request, configuration).key(configuration.engine)
        } catch {
            return nil
        }
    }
}

extension CachingClient.Configuration {
    /// The request as it is sent and looked up by.
    func prepared(_ request: ClientRequest) -> PreparedRequest {
        normalizesPercentEncoding ? request.prepared.normalizingPercentEncoding() : request.prepared
    }

    /// Takes over what a hook or a redirect has made of a request.
    func normalize(_ hop: inout Hop) {
        if normalizesPercentEncoding { hop.request.normalizePercentEncoding() }
    }
}
