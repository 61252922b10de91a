public import LocatedYAML
public import Scenarios

/// A step that downloads a file.
public struct DownloadStep: Sendable {
    /// The path, relative to the stack's base URL.
    public var path: String
    /// Whether the request uses an absolute URL with the origin's second host name.
    public var asksOtherHost = false
    /// The destination in the scenario's folder of downloads; ends in a slash for a folder.
    public var destination: String
    /// Whether the server's name for the file is used in a folder.
    public var isNamedByServer = false
    /// Whether a failed download keeps the received part.
    public var isResumable = true
    /// Whether the download continues without its caller and in the background.
    public var isDetached = false
    /// The inactivity timeout; `nil` uses the stack's.
    public var timeout: Duration?
    /// When it is suspended; `nil` for never.
    public var suspendAt: TransferPoint?
    /// When it is cancelled; `nil` for never.
    public var cancelAt: TransferPoint?
    /// How the download starts and ends.
    public var timing = StackTiming()
    /// The expected outcome.
    public var expectation = DownloadExpectation()
    /// The position in the file.
    public var position: Position

    /// Creates a step for a resumable download.
    public init(path: String, destination: String, position: Position) {
        self.path = path
        self.destination = destination
        self.position = position
    }
}

/// A point in the progress of a transfer.
public enum TransferPoint: Sendable, Hashable {
    /// A fraction of the transfer, from 0 to 1.
    case share(Double)
    /// A number of bytes.
    case bytes(Int)

    /// Whether a transfer has reached this point.
    public func isReached(completed: Int, total: Int?) -> Bool {
        switch self {
        case .share(let share): total.map { Double(completed) >= share * Double($0) } ?? false
        case .bytes(let bytes): completed >= bytes
        }
    }
}

/// The expected outcome of a download; every member that is not `nil` must hold.
public struct DownloadExpectation: Sendable {
    /// The file's path, relative to the folder of downloads.
    public var file: Located<String>?
    /// The file's content.
    public var body: Located<BodyExpectation>?
    /// The number of bytes kept from an earlier attempt.
    public var resumedFrom: Located<NumberExpectation>?
    /// The number of bytes kept after a failure; 0 for none, without a path.
    public var kept: Located<NumberExpectation>?
    /// The expected progress.
    public var progress: Located<ProgressExpectation>?
    /// The expected error, kind and reason of a failure, its status and time.
    public var outcome = FetchExpectation()

    /// Creates an expectation of success.
    public init() {}
}

/// The expected progress of a transfer; it must never decrease.
public struct ProgressExpectation: Sendable, Hashable {
    /// The number of bytes reported first.
    public var first: Int?
    /// The number of bytes reported last.
    public var last: Int?
    /// The total number of bytes reported last.
    public var total: Int?

    /// Creates an expectation of order only.
    public init() {}
}

/// The outcome of a download.
public struct DownloadObservation: Sendable {
    /// The error, its kind and the time.
    public var outcome: FetchObservation
    /// The file's path, relative to the folder of downloads; `nil` for a failure.
    public var file: String?
    /// The file's content; empty for a failure.
    public var body: [UInt8] = []
    /// The number of bytes kept from an earlier attempt.
    public var resumedFrom = 0
    /// The number of bytes kept after a failure.
    public var kept = 0
    /// The reported progress, with the total number of bytes.
    public var progress: [(completed: Int, total: Int?)] = []

    /// Creates an observation from a request's.
    public init(_ outcome: FetchObservation) { self.outcome = outcome }
}

/// A step that acts on downloads and checks their state.
public struct DownloadsStep: Sendable {
    /// An action on downloads.
    public enum Action: Sendable, Hashable {
        /// No action.
        case none
        /// Suspends the downloads with these paths; `nil` for all.
        case suspend([String]?)
        /// Resumes the downloads with these paths; `nil` for all.
        case resume([String]?)
        /// Cancels the downloads with these paths; `nil` for all.
        case cancel([String]?)
        /// Moves the program to the background (`true`) or the foreground.
        case background(Bool)
        /// Removes the parts of downloads that are not running.
        case removeParts
    }
    /// The action.
    public var action = Action.none
    /// The profile; `nil` for the scenario's.
    public var profile: StackProfile?
    /// The paths of the downloads that have not ended, sorted.
    public var running: Located<[String]>?
    /// The paths of the suspended downloads, sorted.
    public var suspended: Located<[String]>?
    /// The kept parts, in any order; `nil` to skip the check.
    public var parts: Located<[PartExpectation]>?

    /// Creates a step that does nothing.
    public init() {}
}

/// The expected state of a part of a file.
public struct PartExpectation: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// The number of bytes received.
    public var received: Int?
    /// The size of the whole file in bytes.
    public var total: Int?
    /// The received fraction.
    public var ratio: Double?

    /// Creates an expectation of the path only.
    public init(path: String) { self.path = path }

    /// A text such as `/a: 250 of 1000 bytes ratio 0.25`.
    public var text: String {
        let parts = [received.map { "\($0)" }, total.map { "of \($0) bytes" }, ratio.map { "ratio \($0)" }]
        return "\(path): " + parts.compactMap(\.self).joined(separator: " ")
    }
}
