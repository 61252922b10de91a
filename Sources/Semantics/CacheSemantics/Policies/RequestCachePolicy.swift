/// How a request relates to the cache: Apple's six policies, under Apple's names.
public enum RequestCachePolicy: String, Sendable, Hashable, CaseIterable {
    /// RFC 9111 decides; the default.
    case useProtocolCachePolicy
    /// Loads from the origin, without validators; the answer may be stored.
    case reloadIgnoringLocalCacheData
    /// As `reloadIgnoringLocalCacheData`, and tells caches on the way to do the same.
    case reloadIgnoringLocalAndRemoteCacheData
    /// Uses a stored response whatever its age, else loads.
    case returnCacheDataElseLoad
    /// Uses a stored response whatever its age, else fails without touching the network.
    case returnCacheDataDontLoad
    /// Uses a stored response only after the origin has validated it, else loads.
    case reloadRevalidatingCacheData

    /// The older name of `reloadIgnoringLocalCacheData`.
    public static let reloadIgnoringCacheData = RequestCachePolicy.reloadIgnoringLocalCacheData
}
