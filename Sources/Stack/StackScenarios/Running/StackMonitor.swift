import Fetching
import Locks

/// Forwards the events of requests to the operations that they belong to, and collects the debug log.
final class StackMonitor: EventMonitor {
    /// A weak reference: the monitor must not retain operations, which retain the sessions that retain the
    /// monitor.
    private struct Weak<Operation: AnyObject & Sendable>: Sendable {
        weak let operation: Operation?
    }
    private struct State {
        var groups: [Int: Weak<GroupOperation>] = [:]
        var downloads: [Int: Weak<DownloadOperation>] = [:]
        var next = 0
        var log: [String] = []
    }
    private let state = Lock(State())

    /// Registers a chain or batch for the events of its requests.
    func add(_ group: GroupOperation) {
        let number = state.withLock { state in
            state.next += 1
            state.groups[state.next] = Weak(operation: group)
            return state.next
        }
        group.number.withLock { $0 = number }
    }

    /// Registers a download; returns the tag that its requests must have.
    func add(_ download: DownloadOperation) -> String {
        let number = state.withLock { state in
            state.next += 1
            state.downloads[state.next] = Weak(operation: download)
            return state.next
        }
        return "\(number)/"
    }

    func observe(_ event: FetchEvent) {
        guard let tag = event.request.tag, let slash = tag.firstIndex(of: "/"),
            let number = Int(tag[..<slash])
        else { return }
        state.withLock { $0.downloads[number]?.operation }?.observe(event)
        state.withLock { $0.groups[number]?.operation }?.observe(
            event,
            of: String(tag[tag.index(after: slash)...])
        )
    }

    /// The lines of the debug log.
    var log: [String] { state.withLock { $0.log } }

    /// Adds lines of the debug log.
    func write(_ lines: String) { state.withLock { $0.log.append(lines) } }
}
