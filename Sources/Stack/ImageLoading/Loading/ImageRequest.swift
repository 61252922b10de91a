public import CacheSemantics
public import HTTPTypes

/// What image is wanted, and how.
public struct ImageRequest: Sendable {
    /// The absolute URL; empty for none, which fails without anything being sent.
    public var url: String
    /// Fields of the request besides those of the downloader; default none.
    public var fields: HTTPFields
    /// What the caller allows, asks for and forbids; default nothing special.
    public var options: ImageLoadOptions
    /// Which of the waiting loads begin first; default `normal`.
    public var priority: ImagePriority
    /// How the HTTP cache below is used; `nil`, the default, as the loader's profile has it.
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

    /// Creates a request that says that it wants an image: `Accept: image/*`.
    public static func image(at url: String) -> ImageRequest {
        ImageRequest(url: url, fields: [.accept: "image/*"])
    }

    /// The priority that the options change: high where they say so, else low where they say so.
    var effectivePriority: ImagePriority {
        if options.contains(.highPriority) { return .high }
        return options.contains(.lowPriority) ? .low : priority
    }
}

/// Which of the waiting loads begin first.
public enum ImagePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// After the others.
    case low
    /// As they come.
    case normal
    /// Before the others.
    case high

    /// Compares urgency.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What a load is allowed, asked for and forbidden.
public struct ImageLoadOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32

    /// Creates options from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Tries a URL although it is among those that failed.
    public static let retryFailed = Self(rawValue: 1 << 0)
    /// Begins after normal loads.
    public static let lowPriority = Self(rawValue: 1 << 1)
    /// Keeps the image in memory only.
    public static let memoryOnly = Self(rawValue: 1 << 2)
    /// Shows what has come while the rest is still coming.
    public static let progressive = Self(rawValue: 1 << 3)
    /// Delivers a cached image, asks the origin about it, and delivers again where it has changed.
    public static let refreshCached = Self(rawValue: 1 << 4)
    /// Goes on when the program is sent to the background; nothing sends a program there on this platform.
    public static let continueInBackground = Self(rawValue: 1 << 5)
    /// Sends and keeps cookies.
    public static let handleCookies = Self(rawValue: 1 << 6)
    /// Accepts a server whose certificate nobody vouches for, where the transport has a way to do so.
    public static let allowInvalidCertificates = Self(rawValue: 1 << 7)
    /// Begins before normal loads.
    public static let highPriority = Self(rawValue: 1 << 8)
    /// Shows the placeholder only when the load has ended without an image.
    public static let delayPlaceholder = Self(rawValue: 1 << 9)
    /// Transforms animations too.
    public static let transformAnimated = Self(rawValue: 1 << 10)
    /// Leaves it to the completion to show the image.
    public static let avoidAutoSet = Self(rawValue: 1 << 11)
    /// Uses the HTTP cache below.
    public static let useURLCache = Self(rawValue: 1 << 12)
    /// Reports an answer of the HTTP cache as unchanged, without the image.
    public static let ignoreCachedResponse = Self(rawValue: 1 << 13)
    /// Asks caches only, and sends nothing.
    public static let cacheOnly = Self(rawValue: 1 << 14)
    /// Asks no image cache.
    public static let loaderOnly = Self(rawValue: 1 << 15)
    /// Goes on for the cache's sake, and tells nobody, when it is cancelled.
    public static let finishForCache = Self(rawValue: 1 << 17)
    /// Delivers only when the image is on disk.
    public static let waitForStore = Self(rawValue: 1 << 16)
}
