package import CacheSemantics
package import LocatedYAML
package import OriginScript
package import Scenarios

/// A step that loads an image.
package struct ImageStep: Sendable {
    /// The path on the origin, which may have a query; empty for an empty URL.
    package var path: String
    /// Whether the origin's second host name is used.
    package var asksOtherHost = false
    /// Field lines in addition to those of the profile.
    package var fields: [FieldLine] = []
    /// The options of the request.
    package var options: [ImageOption] = []
    /// `low`, `normal` or `high`; `nil` for normal.
    package var priority: String?
    /// The policy for the HTTP cache; `nil` uses the profile's.
    package var policy: RequestCachePolicy?
    /// The manner in which the load starts and ends.
    package var timing = StackTiming()
    /// The expected outcome.
    package var expectation = ImageExpectation()
    /// The position in the file.
    package var position: Position

    /// Creates a load without options.
    package init(path: String, position: Position) {
        self.path = path
        self.position = position
    }
}

/// The options of a load.
package enum ImageOption: String, Sendable, Hashable, CaseIterable {
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
package struct PixelExpectation: Sendable, Hashable, CustomStringConvertible {
    /// The number of pixels in a row.
    package var width: Int
    /// The number of rows.
    package var height: Int

    /// Creates a size.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size in the form `2x1`.
    package var description: String { "\(width)x\(height)" }
}

/// The expected outcome of an image load; every member that is not `nil` must hold.
package struct ImageExpectation: Sendable {
    /// The accepted sources: `memory`, `disk` or `origin`.
    package var sources: Located<[Provenance]>?
    /// The format: `jpeg` or `png`.
    package var type: Located<String>?
    /// Width and height.
    package var pixels: Located<PixelExpectation>?
    /// Whether an image is delivered.
    package var isPresent: Located<Bool>?
    /// The error, by name or number; `none` for no error.
    package var error: Located<ImageFailure>?
    /// The number of results delivered, including partial images.
    package var deliveries: Located<NumberExpectation>?
    /// Whether the origin has validated a cached image.
    package var isNotModified: Located<Bool>?
    /// The milestones of the load, in order.
    package var milestones: Located<[String]>?
    /// Time on the scenario's clock, in seconds.
    package var took: Located<NumberExpectation>?

    /// Creates an expectation of an image.
    package init() {}
}

/// The failure of an image load.
package enum ImageFailure: Sendable, Hashable {
    /// There is an image, or its absence is not an error.
    case none
    /// A URL loading code, or an HTTP status.
    case url(Int)
    /// An image loading code.
    case image(Int)

    /// The names of image loading codes.
    static let names: [(name: String, code: Int)] = [
        ("no-url", -1), ("no-pixels", 0), ("damaged", 1001), ("blacklisted", 1003), ("too-large", 1004),
        ("unsupported", 1005), ("storage", 1006),
    ]

    /// The text used in scenarios.
    package var text: String {
        switch self {
        case .none: "none"
        case .url(let code): code > 0 ? "status \(code)" : ErrorCode.text(of: code)
        case .image(let code): Self.names.first { $0.code == code }?.name ?? "image error \(code)"
        }
    }
}

/// The outcome of an image load.
package struct ImageObservation: Sendable {
    /// `memory`, `disk` or `origin`; `nil` without an image.
    package var source: Provenance?
    /// `jpeg`, `png`, …; `nil` without an image.
    package var type: String?
    /// Width and height; `nil` without an image.
    package var pixels: PixelExpectation?
    /// The failure that was reported.
    package var failure = ImageFailure.none
    /// The error's detail.
    package var reason = ""
    /// The number of results delivered.
    package var deliveries = 0
    /// Whether the origin has validated a cached image.
    package var isNotModified = false
    /// The milestones of the load, in order.
    package var milestones: [String] = []
    /// Time on the scenario's clock, in seconds.
    package var took = 0.0

    /// Creates an empty observation.
    package init() {}
}
