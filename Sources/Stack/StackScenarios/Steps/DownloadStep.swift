package import CacheSemantics
package import LocatedYAML
package import Scenarios

/// A step that downloads a file.
package struct DownloadStep: Sendable {
    /// The path, relative to the stack's base URL.
    package var path: String
    /// Whether the request uses an absolute URL with the origin's second host name.
    package var asksOtherHost = false
    /// The destination in the scenario's folder of downloads; ends in a slash for a folder.
    package var destination: String
    /// Whether the server's name for the file is used in a folder.
    package var isNamedByServer = false
    /// Whether a failed download keeps the received part.
    package var isResumable = true
    /// Whether the download continues without its caller and in the background.
    package var isDetached = false
    /// The inactivity timeout; `nil` uses the stack's.
    package var timeout: Duration?
    /// When it is suspended; `nil` means never.
    package var suspendAt: TransferPoint?
    /// When it is cancelled; `nil` means never.
    package var cancelAt: TransferPoint?
    /// The manner in which the download starts and ends.
    package var timing = StackTiming()
    /// The expected outcome.
    package var expectation = DownloadExpectation()
    /// The position in the file.
    package var position: Position

    /// Creates a step for a resumable download.
    package init(path: String, destination: String, position: Position) {
        self.path = path
        self.destination = destination
        self.position = position
    }
}

/// A point in the progress of a transfer.
package enum TransferPoint: Sendable, Hashable {
    /// A fraction of the transfer, from 0 to 1.
    case share(Double)
    /// A number of bytes.
    case bytes(Int)

    /// Whether a transfer has reached this point.
    package func isReached(_ completed: ByteCount, of total: ByteCount?) -> Bool {
        switch self {
        case .share(let share): total.map { Double(completed.bytes) >= share * Double($0.bytes) } ?? false
        case .bytes(let bytes): completed.bytes >= bytes
        }
    }
}

/// The expected outcome of a download; every member that is not `nil` must hold.
package struct DownloadExpectation: Sendable {
    /// The file's path, relative to the folder of downloads.
    package var file: Located<String>?
    /// The file's content.
    package var body: Located<BodyExpectation>?
    /// The number of bytes kept from an earlier attempt.
    package var resumedFrom: Located<NumberExpectation>?
    /// The number of bytes kept after a failure; 0 for none, without a path.
    package var kept: Located<NumberExpectation>?
    /// The expected progress.
    package var progress: Located<ProgressExpectation>?
    /// The expected error, kind and reason of a failure, its status and time.
    package var outcome = FetchExpectation()

    /// Creates an expectation of success.
    package init() {}
}

/// The expected progress of a transfer; it must never decrease.
package struct ProgressExpectation: Sendable, Hashable {
    /// The number of bytes reported first.
    package var first: Int?
    /// The number of bytes reported last.
    package var last: Int?
    /// The total number of bytes reported last.
    package var total: Int?

    /// Creates an expectation of order only.
    package init() {}
}

/// The outcome of a download.
package struct DownloadObservation: Sendable {
    /// The error, its kind and the time.
    package var outcome: FetchObservation
    /// The file's path, relative to the folder of downloads; `nil` for a failure.
    package var file: String?
    /// The file's content; empty for a failure.
    package var body: [UInt8] = []
    /// The number of bytes kept from an earlier attempt.
    package var resumedFrom = 0
    /// The number of bytes kept after a failure.
    package var kept = 0
    /// The reported progress, with the total number of bytes.
    package var progress: [(completed: Int, total: Int?)] = []

    /// Creates an observation from a request's.
    package init(_ outcome: FetchObservation) { self.outcome = outcome }
}

/// A step that acts on downloads and checks their state.
package struct DownloadsStep: Sendable {
    /// An action on downloads.
    package enum Action: Sendable, Hashable {
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
    /// The action on the downloads.
    package var action = Action.none
    /// The profile; `nil` for the scenario's.
    package var profile: StackProfile?
    /// The paths of the downloads that have not ended, sorted.
    package var running: Located<[String]>?
    /// The paths of the suspended downloads, sorted.
    package var suspended: Located<[String]>?
    /// The kept parts, in any order; `nil` to skip the check.
    package var parts: Located<[PartExpectation]>?

    /// Creates a step that does nothing.
    package init() {}
}

/// The expected state of a part of a file.
package struct PartExpectation: Sendable, Hashable {
    /// The path of the file.
    package var path: String
    /// The number of bytes received.
    package var received: Int?
    /// The size of the whole file in bytes.
    package var total: Int?
    /// The received fraction.
    package var ratio: Double?

    /// Creates an expectation of the path only.
    package init(path: String) { self.path = path }

    /// A text such as `/a: 250 of 1000 bytes ratio 0.25`.
    package var text: String {
        let parts = [received.map { "\($0)" }, total.map { "of \($0) bytes" }, ratio.map { "ratio \($0)" }]
        return "\(path): " + parts.compactMap(\.self).joined(separator: " ")
    }
}
