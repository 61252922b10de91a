import Threads

extension MockServer {
    /// The exchanges outside namespaces: those that have ended already, in order, then each when it ends.
    ///
    /// Each iteration starts from the beginning of the journal. It ends with the task that iterates; an exchange that the
    /// journal has dropped meanwhile, because it is full, is left out.
    public var exchanges: AsyncStream<RecordedExchange> {
        let journal = handler.site.journal
        return AsyncStream { continuation in
            let task = Task {
                var reported = ReportedExchanges()
                for await _ in journal.readers.news() {
                    for exchange in reported.ended(in: journal) { continuation.yield(exchange) }
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Stops like `stop()`, on a separate thread, and returns when it has stopped.
    public func shutDown() async {
        await onOwnThread { self.stop() }
    }
}

/// The exchanges of a journal that a sequence has reported.
private struct ReportedExchanges {
    private var revision = -1
    private var numbers: Set<Int> = []

    /// Returns the exchanges that have ended since the last call, in order of arrival.
    mutating func ended(in journal: Journal) -> [RecordedExchange] {
        let changes = journal.changes(after: revision)
        revision = changes.revision
        return changes.entries.filter { $0.hasEnded && numbers.insert($0.number).inserted }
    }
}

extension RecordedExchange {
    /// Whether nothing more is sent.
    fileprivate var hasEnded: Bool { bytesSent != nil || isAborted || ending != nil }
}
