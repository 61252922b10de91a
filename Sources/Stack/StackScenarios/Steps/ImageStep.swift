public import CacheSemantics
public import LocatedYAML
public import OriginScript
public import Scenarios

/// A step that loads an image.
public struct ImageStep: Sendable {
    /// The path on the origin, which may have a query; empty for an empty URL.
    public var path: String
    /// Whether the origin's second host name is used.
    public var asksOtherHost = false
    /// Field lines in addition to those of the profile.
    public var fields: [FieldLine] = []
    /// The options.
    public var options: [ImageOption] = []
    /// `low`, `normal` or `high`; `nil` for normal.
    public var priority: String?
    /// The policy for the HTTP cache; `nil` uses the profile's.
    public var policy: RequestCachePolicy?
    /// How the load starts and ends.
    public var timing = StackTiming()
    /// The expected outcome.
    public var expectation = ImageExpectation()
    /// The position in the file.
    public var position: Position

    /// Creates a load without options.
    public init(path: String, position: Position) {
        self.path = path
        self.position = position
    }
}

/// The options of a load.
public enum ImageOption: String, Sendable, Hashable, CaseIterable {
    /// Loads a URL even if it has failed before.
    case retryFailed = "retry-failed"
    /// Stores the image in memory only.
    case memoryOnly = "memory-only"
    /// Delivers partial images.
    case progressive
    /// Delivers a cached image, and validates it with the origin.
    case refreshCached = "refresh-cached"
    /// Sends and stores cookies.
    case handleCookies = "handle-cookies"
    /// Accepts any certificate.
    case allowInvalidCertificates = "allow-invalid-certificates"
    /// Shows the placeholder only at the end.
    case delayPlaceholder = "delay-placeholder"
    /// Leaves it to the completion to show the image.
    case avoidAutoSet = "avoid-auto-set"
    /// Uses the HTTP cache.
    case useURLCache = "use-url-cache"
    /// Treats a response of the HTTP cache as unchanged.
    case ignoreCachedResponse = "ignore-cached-response"
    /// Uses caches only.
    case cacheOnly = "cache-only"
    /// Bypasses the image caches.
    case loaderOnly = "loader-only"
    /// Completes a cancelled load for the cache.
    case finishForCache = "finish-for-cache"
    /// Delivers the image only after it is stored on disk.
    case waitForStore = "wait-for-store"
}

/// Width and height in pixels.
public struct PixelExpectation: Sendable, Hashable, CustomStringConvertible {
    /// The number of pixels in a row.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size in the form `2x1`.
    public var description: String { "\(width)x\(height)" }
}

/// The expected outcome of an image load; every member that is not `nil` must hold.
public struct ImageExpectation: Sendable {
    /// The accepted sources: `memory`, `disk` or `origin`.
    public var sources: Located<[Provenance]>?
    /// The format: `jpeg` or `png`.
    public var type: Located<String>?
    /// Width and height.
    public var pixels: Located<PixelExpectation>?
    /// Whether an image is delivered.
    public var isPresent: Located<Bool>?
    /// The error, by name or number; `none` for no error.
    public var error: Located<ImageFailure>?
    /// The number of results delivered, including partial images.
    public var deliveries: Located<NumberExpectation>?
    /// Whether the origin has validated a cached image.
    public var isNotModified: Located<Bool>?
    /// The milestones of the load, in order.
    public var milestones: Located<[String]>?
    /// Time on the scenario's clock, in seconds.
    public var took: Located<NumberExpectation>?

    /// Creates an expectation of an image.
    public init() {}
}

/// The failure of an image load.
public enum ImageFailure: Sendable, Hashable {
    /// There is an image, or its absence is not an error.
    case none
    /// A URL loading code, or an HTTP status.
    case url(Int)
    /// An image loading code.
    case image(Int)

    /// The names of image loading codes.
    static let names: [(name: String, code: Int)] = [
        ("no-url", -1), ("no-pixels", 0), ("damaged", 1001), ("too-large", 1004), ("unsupported", 1005),
        ("storage", 1006),
    ]

    /// The text used in scenarios.
    public var text: String {
        switch self {
        case .none: "none"
        case .url(let code): code > 0 ? "status \(code)" : ErrorCode.text(of: code)
        case .image(let code): Self.names.first { $0.code == code }?.name ?? "image error \(code)"
        }
    }
}

/// The outcome of an image load.
public struct ImageObservation: Sendable {
    /// `memory`, `disk` or `origin`; `nil` without an image.
    public var source: Provenance?
    /// `jpeg`, `png`, …; `nil` without an image.
    public var type: String?
    /// Width and height; `nil` without an image.
    public var pixels: PixelExpectation?
    /// The failure.
    public var failure = ImageFailure.none
    /// The error's detail.
    public var reason = ""
    /// The number of results delivered.
    public var deliveries = 0
    /// Whether the origin has validated a cached image.
    public var isNotModified = false
    /// The milestones of the load, in order.
    public var milestones: [String] = []
    /// Time on the scenario's clock, in seconds.
    public var took = 0.0

    /// Creates an empty observation.
    public init() {}
}
