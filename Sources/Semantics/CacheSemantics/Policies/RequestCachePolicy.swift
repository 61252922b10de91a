/// The relation of a request to the cache: Apple's six policies, under Apple's names.
public enum RequestCachePolicy: String, Sendable, Hashable, CaseIterable {
    /// Follows RFC 9111; the default.
    case useProtocolCachePolicy
    /// Loads from the origin, without validators; the response may be stored.
    case reloadIgnoringLocalCacheData
    /// Like `reloadIgnoringLocalCacheData`, and requires intermediate caches to do the same.
    case reloadIgnoringLocalAndRemoteCacheData
    /// Uses a stored response of any age; if there is none, loads.
    case returnCacheDataElseLoad
    /// Uses a stored response of any age; if there is none, fails without using the network.
    case returnCacheDataDontLoad
    /// Uses a stored response only after the origin has validated it; otherwise loads.
    case reloadRevalidatingCacheData

    /// The older name of `reloadIgnoringLocalCacheData`.
    public static let reloadIgnoringCacheData = RequestCachePolicy.reloadIgnoringLocalCacheData
}
