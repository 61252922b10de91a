public import CacheClient
import HTTPTypes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Why a request brought no result.
public struct FetchError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The request was cancelled.
        case cancelled
        /// The network is not available, and no cache had an answer.
        case offline
        /// Nothing arrived in time.
        case timedOut
        /// The exchange failed otherwise: no such host, no connection, a broken one, no trust.
        case transport
        /// The request cannot be sent: its URL, a parameter or a file is wrong.
        case badRequest
        /// The status is not one of those that are accepted.
        case unacceptableStatus
        /// No serializer takes the media type.
        case unacceptableType
        /// The content is not what its media type says.
        case undecodable
        /// The content is not what the request says it must be.
        case invalid
        /// An earlier request, on which this one depends, failed.
        case dependencyFailed
        /// A file or folder cannot be read or written.
        case storage
    }
    /// What kind of failure.
    public var kind: Kind
    /// One sentence.
    public var reason: String
    /// The URL error code that Foundation has for it, such as −1009.
    public var code: Int
    /// The status of the response; `nil` where none came.
    public var status: Int?
    /// The content of the response; empty where none came.
    public var body: [UInt8] = []
    /// The header's media type, lower case, without parameters; `nil` where there is none.
    public var mediaType: String?
    /// What the client met; `nil` where it was not asked, or brought a response.
    public var cause: ClientError?
    /// The request; `nil` where it failed before there was one.
    public var request: RequestModel?

    /// Creates an error; `reason` is one sentence.
    public init(_ kind: Kind, _ reason: String, code: Int? = nil) {
        self.kind = kind
        self.reason = reason
        self.code = code ?? kind.usualCode
    }

    /// Whether the same request may well succeed later.
    public var isTransient: Bool {
        switch kind {
        case .timedOut, .offline, .transport: code != -1202 && code != -1103
        default: false
        }
    }

    /// The sentence, with the code or status.
    public var description: String {
        let place = request.map { "\($0.method.rawValue) \($0.url): " } ?? ""
        return "\(place)\(reason) (\(status.map { "status \($0)" } ?? "\(code)"))"
    }
}

extension FetchError.Kind {
    /// Foundation's code for failures of this kind.
    var usualCode: Int {
        switch self {
        case .cancelled: -999
        case .offline: -1009
        case .timedOut: -1001
        case .transport: -1
        case .badRequest: -1000
        case .unacceptableStatus: -1011
        case .unacceptableType: -1016
        case .undecodable, .invalid: -1017
        case .dependencyFailed: -999
        case .storage: -3000
        }
    }
}

extension FetchError {
    /// What the client met.
    init(_ cause: ClientError) {
        let kind: Kind =
            switch cause.code {
            case -999: .cancelled
            case -1000, -1002, -1100: .badRequest
            case -1001: .timedOut
            case -1009: .offline
            default: .transport
            }
        self.init(kind, "\(cause)", code: cause.code)
        self.cause = cause
    }

    /// A file or folder that cannot be read.
    init(reading path: String, _ code: Int32) {
        self.init(
            .storage,
            "\(path) cannot be read: \(String(cString: strerror(code))).",
            code: code == ENOENT ? -1100 : -1102
        )
    }

    /// A file or folder that cannot be written.
    init(writing path: String, _ code: Int32) {
        self.init(.storage, "\(path) cannot be written: \(String(cString: strerror(code))).", code: -3003)
    }

    /// A request that was cancelled.
    static var cancelled: FetchError { FetchError(.cancelled, "The request was cancelled.") }

    /// The same error of a request.
    func of(_ model: RequestModel) -> FetchError {
        guard request == nil else { return self }
        var error = self
        error.request = model
        return error
    }
}
