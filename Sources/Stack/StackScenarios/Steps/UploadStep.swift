public import LocatedYAML
public import OriginScript
public import Scenarios

/// A step that uploads images or files in one request.
public struct UploadStep: Sendable {
    /// An uploaded item.
    public struct Item: Sendable, Hashable {
        /// The source of the bytes.
        public enum Source: Sendable, Hashable {
            /// A file of `fixtures/`, read while it is sent.
            case file(String)
            /// Bytes in memory.
            case body(BodySource)
        }
        /// The source of the bytes.
        public var source: Source
        /// The file name that is sent; `nil` for the library's default.
        public var fileName: String?

        /// Creates an item.
        public init(_ source: Source, fileName: String? = nil) {
            self.source = source
            self.fileName = fileName
        }
    }
    /// The request: path, host, base, parameters, fields and timeout.
    public var request: FetchStep
    /// The items; never empty.
    public var items: [Item]
    /// The prefix of the fields' names; `nil` for the library's default.
    public var name: String?
    /// The media type as given by the caller; `nil` for the library's default.
    public var mimeType: String?
    /// The quality at which JPEGs are recompressed; `nil` for the library's default.
    public var ratio: Double?
    /// How the upload starts and ends.
    public var timing = StackTiming()
    /// The expected outcome.
    public var expectation = UploadExpectation()
    /// The position in the file.
    public var position: Position

    /// Creates an upload.
    public init(_ request: FetchStep, _ items: [Item], position: Position) {
        self.request = request
        self.items = items
        self.position = position
    }
}

/// The expected outcome of an upload.
public struct UploadExpectation: Sendable {
    /// The expected outcome of its request.
    public var outcome = FetchExpectation()
    /// The number of items that a failure has.
    public var failedItems: Located<NumberExpectation>?
    /// Whether progress reached the total; `nil` to skip the check.
    public var endsWhole: Located<Bool>?

    /// Creates an expectation of success.
    public init() {}
}

/// The outcome of an upload.
public struct UploadObservation: Sendable {
    /// The outcome of its request.
    public var outcome: FetchObservation
    /// The number of items that the failure has; 0 without a failure.
    public var failedItems = 0
    /// The reported progress, with the total number of bytes.
    public var progress: [(completed: Int, total: Int?)] = []

    /// Creates an observation.
    public init(_ outcome: FetchObservation) { self.outcome = outcome }
}
