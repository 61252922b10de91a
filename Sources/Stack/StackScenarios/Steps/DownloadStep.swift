public import LocatedYAML
public import Scenarios

/// A file that is downloaded.
public struct DownloadStep: Sendable {
    /// Path below the stack's base.
    public var path: String
    /// Whether it is asked by a complete URL of the origin's second host name.
    public var asksOtherHost = false
    /// Where the file is to be, below the scenario's folder of downloads; ends in a slash for a folder.
    public var destination: String
    /// Whether the server names the file in a folder.
    public var isNamedByServer = false
    /// Whether what has come is kept when it fails.
    public var isResumable = true
    /// Whether it goes on without its caller, and in the background.
    public var isDetached = false
    /// `nil` for the stack's.
    public var timeout: Duration?
    /// When it is suspended; `nil` for never.
    public var suspendAt: TransferPoint?
    /// When it is cancelled; `nil` for never.
    public var cancelAt: TransferPoint?
    /// How it is begun and ended.
    public var timing = StackTiming()
    /// What must come of it.
    public var expectation = DownloadExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates a resumable download.
    public init(path: String, destination: String, position: Position) {
        self.path = path
        self.destination = destination
        self.position = position
    }
}

/// How far a transfer has come.
public enum TransferPoint: Sendable, Hashable {
    /// A share of it, from 0 to 1.
    case share(Double)
    /// So many bytes.
    case bytes(Int)

    /// Whether a transfer has come so far.
    public func isReached(completed: Int, total: Int?) -> Bool {
        switch self {
        case .share(let share): total.map { Double(completed) >= share * Double($0) } ?? false
        case .bytes(let bytes): completed >= bytes
        }
    }
}

/// What must come of a download; every member that is not `nil` must hold.
public struct DownloadExpectation: Sendable {
    /// The file's path below the folder of downloads.
    public var file: Located<String>?
    /// The file's content.
    public var body: Located<BodyExpectation>?
    /// How many of its bytes had been kept from an earlier try.
    public var resumedFrom: Located<NumberExpectation>?
    /// Bytes that are kept after a failure; 0 for none, and then no path is told.
    public var kept: Located<NumberExpectation>?
    /// The bytes that progress told of first, and last, and of how many in all.
    public var progress: Located<ProgressExpectation>?
    /// Error, kind and sentence of a failure, its status and time.
    public var outcome = FetchExpectation()

    /// Creates an expectation of success.
    public init() {}
}

/// What progress must have told; it must never have gone back.
public struct ProgressExpectation: Sendable, Hashable {
    /// Bytes that were told of first.
    public var first: Int?
    /// Bytes that were told of last.
    public var last: Int?
    /// Bytes in all that were told of last.
    public var total: Int?

    /// Creates an expectation of nothing but order.
    public init() {}
}

/// What came of a download.
public struct DownloadObservation: Sendable {
    /// Error, kind and time, or no error.
    public var outcome: FetchObservation
    /// The file's path below the folder of downloads; `nil` for a failure.
    public var file: String?
    /// The file's content, or nothing.
    public var body: [UInt8] = []
    /// How many of its bytes had been kept from an earlier try.
    public var resumedFrom = 0
    /// Bytes that are kept after a failure.
    public var kept = 0
    /// Bytes that progress told of, and of how many in all.
    public var progress: [(completed: Int, total: Int?)] = []

    /// Creates an observation of nothing.
    public init(_ outcome: FetchObservation) { self.outcome = outcome }
}

/// Something done to all downloads, or to some, and what must then be known of them.
public struct DownloadsStep: Sendable {
    /// What is done.
    public enum Action: Sendable, Hashable {
        /// Nothing.
        case none
        /// Those of these paths, or all, are suspended.
        case suspend([String]?)
        /// Those of these paths, or all, go on.
        case resume([String]?)
        /// Those of these paths, or all, are cancelled.
        case cancel([String]?)
        /// The program goes to the background, or comes back.
        case background(Bool)
        /// The parts of those that do not run are removed.
        case removeParts
    }
    /// What is done.
    public var action = Action.none
    /// The profile; `nil` is the scenario's.
    public var profile: StackProfile?
    /// The paths of those that have not ended, sorted.
    public var running: Located<[String]>?
    /// The paths of those that are suspended, sorted.
    public var suspended: Located<[String]>?
    /// What is known of the parts that are kept, in the order of the list; `nil` for anything.
    public var parts: Located<[PartExpectation]>?

    /// Creates a step that does nothing.
    public init() {}
}

/// What is known of one part of a file.
public struct PartExpectation: Sendable, Hashable {
    /// The path it is of.
    public var path: String
    /// Bytes that have come.
    public var received: Int?
    /// Bytes in all.
    public var total: Int?
    /// The share that has come.
    public var ratio: Double?

    /// Creates what is known of a part.
    public init(path: String) { self.path = path }

    /// `/a: 250 of 1000 bytes, 0.25`.
    public var text: String {
        let parts = [received.map { "\($0)" }, total.map { "of \($0) bytes" }, ratio.map { "ratio \($0)" }]
        return "\(path): " + parts.compactMap(\.self).joined(separator: " ")
    }
}
