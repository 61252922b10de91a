import HTTPTypes

/// The values that an entry of the application cache must match to be used.
public struct CacheContext: Sendable, Hashable {
    /// The application's version.
    public var applicationVersion: String
    /// A digest of the configuration's default parameters.
    public var defaults: String

    /// Creates a context.
    public init(applicationVersion: String = "", defaults: String = "") {
        self.applicationVersion = applicationVersion
        self.defaults = defaults
    }
}

/// The result of a lookup in the application cache.
public enum CacheLookup: Sendable {
    /// A usable entry.
    case hit(CachedResult)
    /// No usable entry, and why.
    case miss(MissReason)

    /// The reason why there is no usable entry.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum MissReason: Sendable, CustomStringConvertible {
        /// No entry is stored.
        case missing
        /// The entry has expired, or its date is in the future.
        case expired
        /// The entry was stored by another version of the application.
        case otherVersion(String)
        /// The configuration's default parameters were different when the entry was stored.
        case otherDefaults
        /// The entry is damaged, or cannot be decoded.
        case damaged(String)
        /// The folder cannot be read.
        case unreadable(String)

        /// A sentence for logs.
        public var description: String {
            switch self {
            case .missing: "Cache does not exist"
            case .expired: "Cache is expired"
            case .otherVersion(let version): "Cache is of application version \"\(version)\""
            case .otherDefaults: "Cache is of other default parameters"
            case .damaged(let what): "Cache is damaged: \(what)"
            case .unreadable(let what): "Cache cannot be read: \(what)"
            }
        }

        /// Whether an entry existed and was removed.
        var isCleared: Bool {
            switch self {
            case .expired, .otherVersion, .otherDefaults, .damaged: true
            case .missing, .unreadable: false
            }
        }
    }
}

/// An entry of the application cache.
public struct CachedResult: Sendable {
    /// The information about the entry.
    public var information: CacheInformation
    /// The content of the response.
    public var body: [UInt8]

    /// Returns the response for a request that this entry answers.
    func response(
        _ model: RequestModel,
        _ serializer: any ResponseSerializer
    ) throws(FetchError) -> FetchResponse {
        var response = HTTPResponse(status: .init(code: information.status))
        if let type = information.contentType { response.headerFields[.contentType] = type }
        return FetchResponse(
            request: model,
            response: response,
            body: body,
            value: try serializer.value(response, body),
            source: .applicationCache
        )
    }
}

/// A stored entry of the application cache.
public struct CacheWrite: Sendable, Hashable {
    /// The path of the content's file.
    public var path: String
    /// The time for which the entry may be used.
    public var duration: Duration
}
