import Locks
import ReportFormats

/// The progress of an audit.
public struct AuditProgress: Sendable, Hashable, CustomStringConvertible {
    /// The unit of the count: `requested` or `probed`.
    public let step: String
    /// The number of URLs for which it is done.
    public let done: Int
    /// The number of URLs that are known so far.
    public let all: Int
    /// The number of requests that were sent.
    public let requests: Int
    /// The last URL.
    public let url: String

    /// One line with the totals.
    public var description: String {
        "[\(step) \(done)/\(all), \(counted(requests, "request"))] \(url)"
    }
}

/// Reports progress from concurrent work.
final class ProgressNotes: Sendable {
    private struct State {
        var step = ""
        var done = 0
        var all = 0
    }
    private let client: AuditClient
    private let note: @Sendable (AuditProgress) -> Void
    private let state = Lock(State())

    init(_ client: AuditClient, _ note: @escaping @Sendable (AuditProgress) -> Void) {
        (self.client, self.note) = (client, note)
    }

    /// Begins a step, or continues it if more URLs are known.
    func begin(_ step: String, of all: Int) {
        state.withLock { state in
            if state.step != step { (state.step, state.done) = (step, 0) }
            state.all = all
        }
    }

    /// Counts a URL and reports it, unless the audit is cancelled.
    func add(_ url: String) {
        if Task.isCancelled { return }
        let state = state.withLock { state in
            state.done += 1
            return state
        }
        note(
            AuditProgress(
                step: state.step,
                done: state.done,
                all: state.all,
                requests: client.count,
                url: url
            )
        )
    }
}
