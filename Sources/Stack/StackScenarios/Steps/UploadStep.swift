public import LocatedYAML
public import OriginScript
public import Scenarios

/// Images or files that are sent in one request.
public struct UploadStep: Sendable {
    /// One of them.
    public struct Item: Sendable, Hashable {
        /// Where its bytes come from.
        public enum Source: Sendable, Hashable {
            /// A file of `fixtures/`, read while it is sent.
            case file(String)
            /// Bytes in memory.
            case body(BodySource)
        }
        /// Where its bytes come from.
        public var source: Source
        /// The file's name as the server is told; `nil` for the library's.
        public var fileName: String?

        /// Creates an item.
        public init(_ source: Source, fileName: String? = nil) {
            self.source = source
            self.fileName = fileName
        }
    }
    /// The request: path, host, base, parameters, fields and timeout.
    public var request: FetchStep
    /// What is sent; never empty.
    public var items: [Item]
    /// The name of the fields; `nil` for the library's.
    public var name: String?
    /// The media type as the caller says it; `nil` for the library's.
    public var mimeType: String?
    /// The quality at which JPEGs are encoded anew; `nil` for the library's.
    public var ratio: Double?
    /// How it is begun and ended.
    public var timing = StackTiming()
    /// What must come of it.
    public var expectation = UploadExpectation()
    /// Where it stands.
    public var position: Position

    /// Creates an upload.
    public init(_ request: FetchStep, _ items: [Item], position: Position) {
        self.request = request
        self.items = items
        self.position = position
    }
}

/// What must come of an upload.
public struct UploadExpectation: Sendable {
    /// What must come of its request.
    public var outcome = FetchExpectation()
    /// How many items a failure names.
    public var failedItems: Located<NumberExpectation>?
    /// Whether progress rose to all; `nil` where that does not matter.
    public var endsWhole: Located<Bool>?

    /// Creates an expectation of success.
    public init() {}
}

/// What came of an upload.
public struct UploadObservation: Sendable {
    /// What came of its request.
    public var outcome: FetchObservation
    /// How many items the failure names; 0 without one.
    public var failedItems = 0
    /// Bytes that progress told of, and of how many in all.
    public var progress: [(completed: Int, total: Int?)] = []

    /// Creates an observation.
    public init(_ outcome: FetchObservation) { self.outcome = outcome }
}
