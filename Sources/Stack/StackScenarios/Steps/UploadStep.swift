package import LocatedYAML
package import OriginScript
package import Scenarios

/// A step that uploads images or files in one request.
package struct UploadStep: Sendable {
    /// An uploaded item.
    package struct Item: Sendable, Hashable {
        /// The source of the bytes.
        package enum Source: Sendable, Hashable {
            /// A file of `fixtures/`, read while it is sent.
            case file(String)
            /// Bytes in memory.
            case body(BodySource)
        }
        /// The source of the bytes.
        package var source: Source
        /// The file name that is sent; `nil` for the library's default.
        package var fileName: String?

        /// Creates an item.
        package init(_ source: Source, fileName: String? = nil) {
            self.source = source
            self.fileName = fileName
        }
    }
    /// The request: path, host, base, parameters, fields and timeout.
    package var request: FetchStep
    /// The items; never empty.
    package var items: [Item]
    /// The prefix of the fields' names; `nil` for the library's default.
    package var name: String?
    /// The media type as given by the caller; `nil` for the library's default.
    package var mimeType: String?
    /// The quality at which JPEGs are recompressed; `nil` for the library's default.
    package var ratio: Double?
    /// The manner in which the upload starts and ends.
    package var timing = StackTiming()
    /// The expected outcome.
    package var expectation = UploadExpectation()
    /// The position in the file.
    package var position: Position

    /// Creates an upload.
    package init(_ request: FetchStep, _ items: [Item], position: Position) {
        self.request = request
        self.items = items
        self.position = position
    }
}

/// The expected outcome of an upload.
package struct UploadExpectation: Sendable {
    /// The expected outcome of its request.
    package var outcome = FetchExpectation()
    /// The number of items that a failure has.
    package var failedItems: Located<NumberExpectation>?
    /// Whether progress reached the total; `nil` to skip the check.
    package var endsWhole: Located<Bool>?

    /// Creates an expectation of success.
    package init() {}
}

/// The outcome of an upload.
package struct UploadObservation: Sendable {
    /// The outcome of its request.
    package var outcome: FetchObservation
    /// The number of items that the failure has; 0 without a failure.
    package var failedItems = 0
    /// The reported progress, with the total number of bytes.
    package var progress: [(completed: Int, total: Int?)] = []

    /// Creates an observation.
    package init(_ outcome: FetchObservation) { self.outcome = outcome }
}
