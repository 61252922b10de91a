public import CacheSemantics
public import HTTPTypes

/// A request for an image.
public struct ImageRequest: Sendable {
    /// The absolute URL; a load with an empty or malformed one fails without a request.
    public var url: String
    /// Header fields in addition to those of the downloader; default none.
    public var fields: HTTPFields
    /// The options; default none.
    public var options: ImageLoadOptions
    /// The priority among waiting loads; default `normal`.
    public var priority: ImagePriority
    /// The policy for the HTTP cache; `nil`, the default, uses the profile's setting.
    public var policy: RequestCachePolicy?

    /// Creates a request.
    public init(
        url: String,
        fields: HTTPFields = [:],
        options: ImageLoadOptions = [],
        priority: ImagePriority = .normal,
        policy: RequestCachePolicy? = nil
    ) {
        self.url = url
        self.fields = fields
        self.options = options
        self.priority = priority
        self.policy = policy
    }

    /// Creates a request that accepts images only: `Accept: image/*`.
    public static func image(at url: String) -> ImageRequest {
        ImageRequest(url: url, fields: [.accept: "image/*"])
    }

    /// The priority after the options: high if they include it, otherwise low if they include it.
    var effectivePriority: ImagePriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : priority
    }
}

/// The priority of a waiting load.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ImagePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Starts after loads of other priorities.
    case low
    /// The default priority.
    case normal
    /// Starts before loads of other priorities.
    case high

    /// Compares priorities.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The options of a load.
public struct ImageLoadOptions: OptionSet, Sendable, Hashable {
    /// The option bits.
    public let rawValue: UInt32

    /// Creates options from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Loads a URL even if it has failed before.
    public static let retryFailed = Self(rawValue: 1 << 0)
    /// Starts after loads of normal priority.
    public static let lowPriority = Self(rawValue: 1 << 1)
    /// Stores the image in memory only.
    public static let memoryOnly = Self(rawValue: 1 << 2)
    /// Delivers partial images while the rest is being received.
    ///
    /// Only if the size is known in advance, by `Content-Length`; a chunked response is delivered at its end.
    public static let progressive = Self(rawValue: 1 << 3)
    /// Delivers a cached image, validates it with the origin, and delivers again if it has changed.
    ///
    /// `results(for:)` also delivers an unchanged image again, as the final result, with `isNotModified`.
    public static let refreshCached = Self(rawValue: 1 << 4)
    /// Continues in the background; without effect on this platform.
    public static let continueInBackground = Self(rawValue: 1 << 5)
    /// Sends and stores cookies.
    public static let handleCookies = Self(rawValue: 1 << 6)
    /// Accepts servers with invalid certificates, if the transport supports it.
    public static let allowInvalidCertificates = Self(rawValue: 1 << 7)
    /// Starts before loads of normal priority.
    public static let highPriority = Self(rawValue: 1 << 8)
    /// Shows the placeholder only after the load has ended without an image.
    public static let delayPlaceholder = Self(rawValue: 1 << 9)
    /// Also transforms animations.
    public static let transformAnimated = Self(rawValue: 1 << 10)
    /// Leaves it to the completion to show the image.
    public static let avoidAutoSet = Self(rawValue: 1 << 11)
    /// Uses the HTTP cache.
    public static let useURLCache = Self(rawValue: 1 << 12)
    /// Reports a response of the HTTP cache as unchanged, without the image.
    public static let ignoreCachedResponse = Self(rawValue: 1 << 13)
    /// Uses caches only, and sends nothing.
    public static let cacheOnly = Self(rawValue: 1 << 14)
    /// Bypasses the image caches.
    public static let loaderOnly = Self(rawValue: 1 << 15)
    /// After cancellation, completes the download for the cache, without reporting it.
    public static let finishForCache = Self(rawValue: 1 << 17)
    /// Delivers the image only after it is stored on disk.
    public static let waitForStore = Self(rawValue: 1 << 16)
}
