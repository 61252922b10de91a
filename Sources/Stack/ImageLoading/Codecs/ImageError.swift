public import CacheClient

/// Why there is no image.
///
/// Two errors are equal when domain and code are; what they say may differ.
public struct ImageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Who gives the codes their meaning.
    public enum Domain: String, Sendable, Hashable {
        /// Codes of URL loading, such as −1001, and HTTP statuses.
        case url = "NSURLErrorDomain"
        /// Codes of image loading: −1 for no URL, 0 for no pixels, and those of this library.
        case image = "SDWebImageErrorDomain"
    }
    /// Whose code it is.
    public var domain: Domain
    /// The code.
    public var code: Int
    /// One sentence that says what happened.
    public var detail: String
    /// Seconds the server asks to wait before the next try; `nil` where it asks for none.
    public var retryAfterSeconds: Int64?

    /// Creates an error.
    public init(domain: Domain, code: Int, detail: String) {
        self.domain = domain
        self.code = code
        self.detail = detail
    }

    /// The sentence with domain and code.
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
    /// There was no URL.
    public static let noURL = Self(domain: .image, code: -1, detail: "Trying to load an image without a URL.")
    /// The content is no image: not one pixel can be had from it.
    public static let zeroPixels = Self(domain: .image, code: 0, detail: "Downloaded image has 0 pixels.")
    /// The URL is empty, or is among those that failed: nothing was sent.
    public static let fileDoesNotExist = Self(
        domain: .url,
        code: -1100,
        detail: "The URL is empty or has failed before; nothing was sent."
    )
    /// The load was cancelled.
    public static let cancelled = Self(domain: .url, code: -999, detail: "The load was cancelled.")

    /// The content is cut off or damaged.
    public static func damaged(_ detail: String) -> Self {
        Self(domain: .image, code: 1001, detail: "The image is damaged: \(detail).")
    }

    /// A limit was reached before or instead of decoding.
    public static func tooLarge(_ detail: String) -> Self {
        Self(domain: .image, code: 1004, detail: "The image is too large: \(detail).")
    }

    /// No codec knows the format.
    public static func unsupported(_ detail: String) -> Self {
        Self(domain: .image, code: 1005, detail: "The image cannot be decoded: \(detail).")
    }

    /// The cache could not be read or written.
    public static func storage(_ detail: String) -> Self {
        Self(domain: .image, code: 1006, detail: detail)
    }

    /// The server answered with an error status, which is the code.
    public static func status(_ status: Int) -> Self {
        Self(domain: .url, code: status, detail: "The server answered with status \(status).")
    }

    /// The content type is not one of those that are taken for an image.
    public static func unacceptableContentType(_ type: String?) -> Self {
        Self(domain: .url, code: -1016, detail: "The content type is \(type ?? "missing"), not an image's.")
    }

    /// A failed load.
    public init(_ error: ClientError) {
        self.init(domain: .url, code: error.code, detail: error.description)
    }
}
