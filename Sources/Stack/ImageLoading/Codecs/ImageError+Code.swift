extension ImageError {
    /// The kind of failure, with the number that it has in its domain.
    ///
    /// Compare it with the constants, or with an HTTP status; there may be others.
    public struct Code: RawRepresentable, Sendable, Hashable, ExpressibleByIntegerLiteral,
        CustomStringConvertible
    {
        /// Foundation's URL error code, such as −1001, an HTTP status, or a code of image loading, such as 1001.
        public let rawValue: Int

        /// Creates a code from its number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Creates a code from its number.
        public init(integerLiteral value: Int) { rawValue = value }

        // MARK: The domain `image`

        /// No URL was given.
        public static let noURL: Code = -1
        /// The content is not an image.
        public static let zeroPixels: Code = 0
        /// The content is truncated or damaged.
        public static let damaged: Code = 1001
        /// The URL has failed before, in the terms of SDWebImage 5.
        public static let blacklisted: Code = 1003
        /// A limit was exceeded.
        public static let tooLarge: Code = 1004
        /// No codec supports the format.
        public static let unsupported: Code = 1005
        /// The cache cannot be read or written.
        public static let storage: Code = 1006

        // MARK: The domain `url`

        /// The load was cancelled.
        public static let cancelled: Code = -999
        /// Nothing arrived in time.
        public static let timedOut: Code = -1001
        /// The host name has no address.
        public static let cannotFindHost: Code = -1003
        /// No server is listening.
        public static let cannotConnect: Code = -1004
        /// The connection broke before the response was complete.
        public static let connectionLost: Code = -1005
        /// The client is offline.
        public static let offline: Code = -1009
        /// The media type is not one of the accepted image types.
        public static let unacceptableContentType: Code = -1016
        /// The connection would need roaming, which is off.
        public static let roamingOff: Code = -1018
        /// The network does not allow data.
        public static let dataNotAllowed: Code = -1020
        /// The URL is empty or malformed, or has failed before; nothing was sent.
        public static let fileDoesNotExist: Code = -1100

        /// The HTTP status in the domain `url`; `nil` for another failure.
        public var status: Int? { (100..<600).contains(rawValue) ? rawValue : nil }

        /// The number in decimal.
        public var description: String { String(rawValue) }
    }
}
