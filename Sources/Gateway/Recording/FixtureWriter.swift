import Dispatch
import Locks

/// Writes exchanges as a site that answers as the origin did: a file of routes for each resource, contents beside.
///
/// Requests that are alike get the answers in the order in which they came.
public final class FixtureWriter: Sendable {
    private let folder: FixtureFolder
    private let redaction: Redaction
    private let book: Lock<FixtureBook>
    /// Where exchanges are taken in and written one after another: a file that is written later must stand later.
    private let desk = DispatchQueue(label: "cachecheck.fixtures")

    /// Begins a recording in a folder; with `isOfAnyHost` routes ask for the host, too.
    public init(
        folder path: String,
        redaction: Redaction = Redaction(),
        isOfAnyHost: Bool = false
    ) throws(RecordingError) {
        folder = try FixtureFolder(path: path)
        self.redaction = redaction
        book = Lock(FixtureBook(redaction: redaction, isOfAnyHost: isOfAnyHost))
    }

    /// How many exchanges were written.
    public var count: Int { book.withLock { $0.count } }

    /// How many resources they are of.
    public var resourceCount: Int { book.withLock { $0.resourceCount } }

    /// Writes an exchange; afterwards the folder serves all that came so far.
    ///
    /// Throws where something cannot be written, and where secrets cannot be looked for in it.
    public func add(_ exchange: CapturedExchange) throws(RecordingError) {
        if let obstacle = redaction.obstacle(in: exchange) {
            throw RecordingError("\(exchange.method) \(exchange.origin)\(exchange.target): \(obstacle)")
        }
        let written = desk.sync {
            Result { () throws(RecordingError) in try write(book.withLock { $0.add(exchange) }) }
        }
        try written.get()
    }

    private func write(_ change: FixtureBook.Change) throws(RecordingError) {
        // A file that names a content is written after it.
        if let body = change.body { try folder.write(body.bytes, to: .bodies, body.name) }
        try folder.write(Array(change.text.utf8), to: .routes, change.file)
    }
}
