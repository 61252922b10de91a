public import CacheClient

/// A cache of decoded values, such as images, which a session consults before it sends a GET.
///
/// The session looks a value up by the request's URL with its query, and ends the request with it, whether there is a
/// network or not. Policies that ignore cached data skip the lookup. Called concurrently from any task.
public protocol FetchValueCache: Sendable {
    /// Returns the value stored for a URL; `nil` if there is none.
    func value(for url: String) async -> CachedFetchValue?
    /// Offers the value of an accepted response, which the cache may store; `content` is what it was decoded from.
    func store(_ value: FetchValue, content: [UInt8], for url: String) async
}

/// A value from a cache of values.
public struct CachedFetchValue: Sendable {
    /// The decoded value.
    public var value: FetchValue
    /// The level that had it: `memory` or `disk`.
    public var source: ResponseSource

    /// Creates a value.
    public init(_ value: FetchValue, source: ResponseSource) { (self.value, self.source) = (value, source) }
}

extension ResolvedRequest {
    /// Returns the URL that is the key of the response in a cache of values; `nil` unless the request is a GET without content.
    func valueKey(_ configuration: FetchConfiguration) -> String? {
        guard problem == nil, model.method == .get else { return nil }
        switch request.body {
        case .none: break
        case .parameters where configuration.queryMethods.contains(.get): break
        default: return nil
        }
        return configuration.encoding.url(model.url, adding: model.parameters)
    }

    /// Whether the policy permits cached values.
    func usesCachedValues(_ configuration: FetchConfiguration) -> Bool {
        switch request.policy ?? configuration.policy {
        case .useProtocolCachePolicy, .returnCacheDataElseLoad, .returnCacheDataDontLoad: true
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData,
            .reloadRevalidatingCacheData:
            false
        }
    }
}

extension FetchResponse {
    /// Creates the response of a request that a cache of values has answered: status 200 without fields and content.
    init(_ model: RequestModel, _ cached: CachedFetchValue) {
        self.init(
            request: model,
            response: .init(status: .ok),
            body: [],
            value: cached.value,
            source: .valueCache(cached.source)
        )
    }
}
