public import CacheClient

/// The failure of an image load.
///
/// Errors are equal if their domains and codes are; details may differ.
public struct ImageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The domain of the codes.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Domain: String, Sendable, Hashable {
        /// URL loading codes, such as −1001, and HTTP statuses.
        case url = "NSURLErrorDomain"
        /// Image loading codes: −1 for a missing URL, 0 for zero pixels, and those of this library.
        case image = "SDWebImageErrorDomain"
    }
    /// The domain of the code.
    public var domain: Domain
    /// The kind of failure: `.timedOut`, or `-1001`, its number in the domain.
    public var code: Code
    /// A description of the failure, one sentence.
    public var detail: String
    /// The delay that the server requests before a retry; `nil` if it requests none.
    public var retryAfter: Duration?

    /// Creates an error.
    public init(domain: Domain, code: Code, detail: String) {
        self.domain = domain
        self.code = code
        self.detail = detail
    }

    /// Whether the load was cancelled, so that the error need not be shown.
    public var isCancellation: Bool { self == .cancelled }

    /// The detail, the domain and the code.
    public var description: String { "\(detail) (\(domain.rawValue) \(code))" }

    /// Compares domain and code.
    public static func == (left: Self, right: Self) -> Bool {
        left.domain == right.domain && left.code == right.code
    }

    /// Hashes domain and code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(domain)
        hasher.combine(code)
    }
}

extension ImageError {
    /// No URL was given.
    public static let noURL = Self(
        domain: .image,
        code: .noURL,
        detail: "Trying to load an image without a URL."
    )
    /// The content is not an image.
    public static let zeroPixels = Self(
        domain: .image,
        code: .zeroPixels,
        detail: "Downloaded image has 0 pixels."
    )
    /// The URL is empty or malformed, or has failed before; nothing was sent.
    public static let fileDoesNotExist = Self(
        domain: .url,
        code: .fileDoesNotExist,
        detail: "The URL is empty or has failed before; nothing was sent."
    )
    /// The URL has failed before, in the terms of SDWebImage 5.
    public static let blacklisted = Self(
        domain: .image,
        code: .blacklisted,
        detail: "The URL has failed before; nothing was sent."
    )
    /// The load was cancelled.
    public static let cancelled = Self(domain: .url, code: .cancelled, detail: "The load was cancelled.")

    /// Returns the error for content that is truncated or damaged.
    public static func damaged(_ detail: String) -> Self {
        Self(domain: .image, code: .damaged, detail: "The image is damaged: \(detail).")
    }

    /// Returns the error for a limit that was exceeded.
    public static func tooLarge(_ detail: String) -> Self {
        Self(domain: .image, code: .tooLarge, detail: "The image is too large: \(detail).")
    }

    /// Returns the error for a format that no codec supports.
    public static func unsupported(_ detail: String) -> Self {
        Self(domain: .image, code: .unsupported, detail: "The image cannot be decoded: \(detail).")
    }

    /// Returns the error for a cache that cannot be read or written.
    public static func storage(_ detail: String) -> Self {
        Self(domain: .image, code: .storage, detail: detail)
    }

    /// Returns the error for a response with an error status, which is the code.
    public static func status(_ status: Int) -> Self {
        Self(
            domain: .url,
            code: Code(rawValue: status),
            detail: "The server responded with status \(status)."
        )
    }

    /// Returns the error for a media type that is not one of the accepted image types.
    public static func unacceptableContentType(_ type: String?) -> Self {
        Self(
            domain: .url,
            code: .unacceptableContentType,
            detail: "The content type is \(type ?? "missing"); expected an image."
        )
    }

    /// Creates an error from a client's error.
    public init(_ error: ClientError) {
        self.init(domain: .url, code: Code(rawValue: error.code.rawValue), detail: error.description)
    }
}
