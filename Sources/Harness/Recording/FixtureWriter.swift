import Dispatch
public import FaultProxy
import Locks

/// Writes exchanges as a site that responds like the origin: a file of routes for each resource, and content files.
///
/// Equal requests get the recorded responses in order.
public final class FixtureWriter: Sendable {
    private let folder: RecordingFolder
    private let redaction: Redaction
    private let book: Lock<FixtureCollection>
    /// Serialises conversion and writing, so that the last version of a file is written last.
    private let queue = DispatchQueue(label: "cachecheck.fixtures")

    /// Begins a recording in a folder; with `isOfAnyHost` routes match the host, too.
    public init(
        folder path: String,
        redaction: Redaction = Redaction(),
        isOfAnyHost: Bool = false
    ) throws(RecordingError) {
        folder = try RecordingFolder(path: path)
        self.redaction = redaction
        book = Lock(FixtureCollection(redaction: redaction, isOfAnyHost: isOfAnyHost))
    }

    /// The number of exchanges written.
    public var count: Int { book.withLock { $0.count } }

    /// The number of resources.
    public var resourceCount: Int { book.withLock { $0.resourceCount } }

    /// Writes an exchange; afterwards the folder is a complete site of all exchanges so far.
    ///
    /// Throws if a file cannot be written, or if the exchange cannot be searched for secrets.
    public func add(_ exchange: CapturedExchange) throws(RecordingError) {
        if let obstacle = redaction.obstacle(in: exchange) {
            throw RecordingError("\(exchange.requestText): \(obstacle)")
        }
        let written = queue.sync {
            Result { () throws(RecordingError) in try write(book.withLock { $0.add(exchange) }) }
        }
        try written.get()
    }

    private func write(_ change: FixtureCollection.Change) throws(RecordingError) {
        // A file that refers to content is written after it.
        if let body = change.body { try folder.write(body.bytes, to: .bodies, body.name) }
        try folder.write(Array(change.text.utf8), to: .routes, change.file)
    }
}
