public import CacheSemantics
public import LocatedYAML
public import OriginScript
public import Scenarios

/// An image that is loaded.
public struct ImageStep: Sendable {
    /// Path of the origin, which may have a query; empty for a URL that is empty.
    public var path: String
    /// Whether the origin's second host name is asked.
    public var asksOtherHost = false
    /// Field lines besides those of the profile.
    public var fields: [FieldLine] = []
    /// What is allowed, asked for and forbidden, by the names of the options.
    public var options: [ImageOption] = []
    /// `low`, `normal` or `high`; `nil` for normal.
    public var priority: String?
    /// How the HTTP cache below is used; `nil` as the profile has it.
    public var policy: RequestCachePolicy?
    /// How it is begun and ended.
    public var timing = StackTiming()
    /// What must come of it.
    public var expectation = ImageExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates a load without options.
    public init(path: String, position: Position) {
        self.path = path
        self.position = position
    }
}

/// What a load is allowed, asked for and forbidden.
public enum ImageOption: String, Sendable, Hashable, CaseIterable {
    /// A URL is tried although it failed before.
    case retryFailed = "retry-failed"
    /// The image is kept in memory only.
    case memoryOnly = "memory-only"
    /// What has come is shown while the rest is coming.
    case progressive
    /// A cached image is delivered, and the origin asked about it.
    case refreshCached = "refresh-cached"
    /// Cookies are sent and kept.
    case handleCookies = "handle-cookies"
    /// Any certificate is believed.
    case allowInvalidCertificates = "allow-invalid-certificates"
    /// The placeholder is shown only at the end.
    case delayPlaceholder = "delay-placeholder"
    /// The completion shows the image.
    case avoidAutoSet = "avoid-auto-set"
    /// The HTTP cache is used.
    case useURLCache = "use-url-cache"
    /// An answer of the HTTP cache counts as unchanged.
    case ignoreCachedResponse = "ignore-cached-response"
    /// Caches are asked only.
    case cacheOnly = "cache-only"
    /// No image cache is asked.
    case loaderOnly = "loader-only"
    /// A cancelled load goes on for the cache's sake.
    case finishForCache = "finish-for-cache"
    /// Nothing is delivered before the image is on disk.
    case waitForStore = "wait-for-store"
}

/// Width and height in pixels.
public struct PixelExpectation: Sendable, Hashable, CustomStringConvertible {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// As `2x1`.
    public var description: String { "\(width)x\(height)" }
}

/// What must come of the load of an image; every member that is not `nil` must hold.
public struct ImageExpectation: Sendable {
    /// Any of `memory`, `disk` and `origin`.
    public var sources: Located<[String]>?
    /// The format: `jpeg` or `png`.
    public var type: Located<String>?
    /// Width and height.
    public var pixels: Located<PixelExpectation>?
    /// Whether an image is delivered.
    public var isPresent: Located<Bool>?
    /// The error, by its name here or its number; `none` for no error.
    public var error: Located<ImageFailure>?
    /// How often something was delivered, partial images included.
    public var deliveries: Located<NumberExpectation>?
    /// Whether the origin has confirmed a cached image.
    public var isNotModified: Located<Bool>?
    /// What the load came to, in order.
    public var milestones: Located<[String]>?
    /// Time on the scenario's clock, in seconds.
    public var took: Located<NumberExpectation>?

    /// Creates an expectation of an image.
    public init() {}
}

/// Why there is no image.
public enum ImageFailure: Sendable, Hashable {
    /// There is an image, or its absence is no error.
    case none
    /// A code of URL loading, or an HTTP status.
    case url(Int)
    /// A code of image loading.
    case image(Int)

    /// Names of codes of image loading.
    static let names: [(name: String, code: Int)] = [
        ("no-url", -1), ("no-pixels", 0), ("damaged", 1001), ("too-large", 1004), ("unsupported", 1005),
        ("storage", 1006),
    ]

    /// How a scenario writes it.
    public var text: String {
        switch self {
        case .none: "none"
        case .url(let code): code > 0 ? "status \(code)" : ErrorCode.text(of: code)
        case .image(let code): Self.names.first { $0.code == code }?.name ?? "image error \(code)"
        }
    }
}

/// What came of the load of an image.
public struct ImageObservation: Sendable {
    /// `memory`, `disk` or `origin`; `nil` without an image.
    public var source: String?
    /// `jpeg`, `png`, …; `nil` without an image.
    public var type: String?
    /// Width and height; `nil` without an image.
    public var pixels: PixelExpectation?
    /// Why there is none.
    public var failure = ImageFailure.none
    /// The error's sentence.
    public var reason = ""
    /// How often something was delivered.
    public var deliveries = 0
    /// Whether the origin has confirmed a cached image.
    public var isNotModified = false
    /// What the load came to, in order.
    public var milestones: [String] = []
    /// Time on the scenario's clock, in seconds.
    public var took = 0.0

    /// Creates an observation of nothing.
    public init() {}
}
