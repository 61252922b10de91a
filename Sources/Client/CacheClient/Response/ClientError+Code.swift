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
        /// The response is HTTP, but does not answer the request: no final response, a 206 to a request without
        /// Range, or a 304 to an unconditional request.
        public static let badResponse = Code(.badResponse)
        /// The response cannot be parsed as HTTP, or its end cannot be determined reliably.
        public static let cannotParse = Code(.cannotParse)
        /// The content coding is damaged.
        public static let cannotDecode = Code(.cannotDecode)
        /// A streamed request body cannot be sent a second time, or does not have the number of bytes that was announced.
        public static let bodyExhausted = Code(.bodyExhausted)
        /// The file to send does not exist or cannot be read.
        public static let noSuchFile = Code(.noSuchFile)
        /// The connection would need roaming, which is off.
        public static let roamingOff = Code(.roamingOff)
        /// The network does not allow data.
        public static let dataNotAllowed = Code(.dataNotAllowed)
        /// The host's address must not be connected to; CacheCheck's own code.
        public static let addressRefused = Code(.addressRefused)
        /// The server speaks HTTP/1.0, so it needs the length of the content, which is unknown; CacheCheck's own code.
        public static let lengthRequired = Code(.lengthRequired)
        /// The response is larger than allowed.
        public static let tooLarge = Code(.tooLarge)
        /// TLS failed, for another reason than those below.
        public static let secureConnectionFailed = Code(.secureConnectionFailed)
        /// The server's certificate has expired.
        public static let certificateExpired = Code(.certificateExpired)
        /// The server's certificate is self-signed, is for another host, or is not one of those that are pinned.
        public static let untrustedCertificate = Code(.untrustedCertificate)
        /// The server's certificate was issued by an authority that is not trusted.
        public static let unknownAuthority = Code(.unknownAuthority)
        /// The server's certificate is not valid yet.
        public static let certificateNotYetValid = Code(.certificateNotYetValid)
        /// The server does not accept the client's certificate.
        public static let clientCertificateRejected = Code(.clientCertificateRejected)
        /// The server asks for a certificate, and the client has none.
        public static let clientCertificateRequired = Code(.clientCertificateRequired)

        /// The name and the number: `timedOut (-1001)`; the number alone for a code without a constant.
        public var description: String { name.map { "\($0) (\(rawValue))" } ?? "\(rawValue)" }

        /// The name of the constant; `nil` if there is none.
        private var name: String? {
            switch self {
            case .tooManyRedirects: "tooManyRedirects"
            case .resourceUnavailable: "resourceUnavailable"
            default: TransportError.Kind(rawValue: rawValue).map { "\($0)" }
            }
        }
    }

    /// Whether the caller cancelled the load, so that the error need not be shown.
    public var isCancellation: Bool { code == .cancelled }
}
