public import CacheClient
import CLibrary
import HTTPTypes

/// The reason why a request failed.
public struct FetchError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The request was cancelled.
        case cancelled
        /// The network is unavailable, and no cache could respond.
        case offline
        /// Nothing arrived in time.
        case timedOut
        /// The exchange failed for another reason: unknown host, no connection, a lost connection, or an
        /// untrusted certificate.
        case transport
        /// The request cannot be sent: its URL, a parameter or a file is invalid.
        case badRequest
        /// The status code is not accepted.
        case unacceptableStatus
        /// No serializer accepts the media type.
        case unacceptableType
        /// The content does not match its media type.
        case undecodable
        /// The content does not meet the request's expectations.
        case invalid
        /// A request on which this one depends failed.
        case dependencyFailed
        /// A file or folder cannot be read or written.
        case storage
    }
    /// The kind of failure.
    public var kind: Kind
    /// A description of the failure, one sentence.
    public var reason: String
    /// The kind of failure as the client numbers it: `.offline`, or `-1009`, Foundation's number for it.
    public var code: ClientError.Code
    /// The status of the response; `nil` if there was none.
    public var status: Int?
    /// The content of the response; empty if there was none.
    public var body: [UInt8] = []
    /// The media type of the header, lower case, without parameters; `nil` if there is none.
    public var mediaType: String?
    /// The client's error; `nil` if the client was not used, or returned a response.
    public var cause: ClientError?
    /// The request; `nil` if it failed before one was created.
    public var request: RequestModel?

    /// Creates an error; `reason` is one sentence.
    public init(_ kind: Kind, _ reason: String, code: ClientError.Code? = nil) {
        self.kind = kind
        self.reason = reason
        self.code = code ?? kind.defaultCode
    }

    /// Whether the caller cancelled the request, so that the error need not be shown.
    public var isCancellation: Bool { kind == .cancelled }

    /// Whether the same request may succeed later.
    public var isTransient: Bool {
        switch kind {
        case .timedOut, .offline, .transport: code != -1202 && code != -1103
        default: false
        }
    }

    /// The reason, with the code or the status.
    public var description: String {
        let place = request.map { "\($0.method.rawValue) \($0.url): " } ?? ""
        return "\(place)\(reason) (\(status.map { "status \($0)" } ?? "\(code.rawValue)"))"
    }
}

extension FetchError.Kind {
    /// The error code for failures of this kind.
    var defaultCode: ClientError.Code {
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
    /// Creates an error from one of the client's.
    init(_ cause: ClientError) {
        let kind: Kind =
            switch cause.code.rawValue {
            case -999: .cancelled
            case -1000, -1002, -1100: .badRequest
            case -1001: .timedOut
            case -1009: .offline
            default: .transport
            }
        self.init(kind, cause.reason, code: cause.code)
        self.cause = cause
    }

    /// Creates an error for a file or folder that cannot be read.
    init(reading path: String, _ code: Int32) {
        self.init(
            .storage,
            "\(path) cannot be read: \(String(cString: strerror(code))).",
            code: code == ENOENT ? -1100 : -1102
        )
    }

    /// Creates an error for a file or folder that cannot be written.
    init(writing path: String, _ code: Int32) {
        self.init(.storage, "\(path) cannot be written: \(String(cString: strerror(code))).", code: -3003)
    }

    /// An error for a cancelled request.
    static var cancelled: FetchError { FetchError(.cancelled, "The request was cancelled.") }

    /// Returns this error with the request that failed, unless it has one already.
    func of(_ model: RequestModel) -> FetchError {
        guard request == nil else { return self }
        var error = self
        error.request = model
        return error
    }
}
