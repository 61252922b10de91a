extension ClientError {
    /// The kind of failure, with Foundation's number for it.
    ///
    /// Compare it with the constants; a client may report others.
    public struct Code: RawRepresentable, Sendable, Hashable, ExpressibleByIntegerLiteral,
        CustomStringConvertible
    {
        /// Foundation's URL error code, such as −1001.
        public let rawValue: Int

        /// Creates a code from Foundation's number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Creates a code from Foundation's number.
        public init(integerLiteral value: Int) { rawValue = value }

        init(_ kind: TransportError.Kind) { rawValue = kind.rawValue }

        /// Anything else.
        public static let unknown = Code(.unknown)
        /// The caller cancelled the load.
        public static let cancelled = Code(.cancelled)
        /// The URL cannot be used.
        public static let badURL = Code(.badURL)
        /// Nothing arrived in time.
        public static let timedOut = Code(.timedOut)
        /// The scheme is neither `http` nor `https`.
        public static let unsupportedURL = Code(.unsupportedURL)
        /// The host name has no address.
        public static let cannotFindHost = Code(.cannotFindHost)
        /// No server is listening.
        public static let cannotConnect = Code(.cannotConnect)
        /// The connection broke before the response was complete.
        public static let connectionLost = Code(.connectionLost)
        /// There were more redirects than the client follows.
        public static let tooManyRedirects = Code(rawValue: -1007)
        /// Nothing usable is stored for a request whose policy forbids loading, `returnCacheDataDontLoad`.
        public static let resourceUnavailable = Code(rawValue: -1008)
        /// The client is offline.
        public static let offline = Code(.offline)
        /// The response is HTTP, but does not answer the request: there is no final response, or a 206 or 304 to what was
        /// not asked.
        public static let badResponse = Code(.badResponse)
        /// The response cannot be parsed as HTTP, or its end cannot be determined reliably.
        public static let cannotParse = Code(.cannotParse)
        /// The connection would need roaming, which is off.
        public static let roamingOff = Code(.roamingOff)
        /// The network does not allow data.
        public static let dataNotAllowed = Code(.dataNotAllowed)
        /// The host's address must not be connected to; a number of our own.
        public static let addressRefused = Code(.addressRefused)
        /// The response is larger than allowed.
        public static let tooLarge = Code(.tooLarge)
        /// TLS failed; the codes from −1201 to −1206 say more.
        public static let secureConnectionFailed = Code(.secureConnectionFailed)

        /// The number.
        public var description: String { String(rawValue) }
    }

    /// Whether the caller cancelled the load, so that the error need not be shown.
    public var isCancellation: Bool { code == .cancelled }
}
