import HTTPTypes

/// What an entry of the application cache must agree with to be used.
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

/// What the application cache had.
public enum CacheReading: Sendable {
    /// An entry that may be used.
    case hit(CachedResult)
    /// None, and why.
    case miss(MissReason)

    /// Why there is nothing to use.
    public enum MissReason: Sendable, CustomStringConvertible {
        /// Nothing is stored.
        case missing
        /// Its time is over, or it is from the future.
        case expired
        /// Another version of the application stored it.
        case otherVersion(String)
        /// The configuration's default parameters were others when it was stored.
        case otherDefaults
        /// It is not as it was written, or cannot be decoded.
        case damaged(String)
        /// The folder cannot be read.
        case unreadable(String)

        /// A sentence.
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

        /// Whether there was an entry, which was removed.
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
    /// What is known of it.
    public var information: CacheInformation
    /// The content.
    public var body: [UInt8]

    /// The response that it stands for.
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

/// What the application cache did with a result.
public struct CacheWriting: Sendable, Hashable {
    /// The file of the content.
    public var path: String
    /// How long the entry may be used.
    public var duration: Duration
}
