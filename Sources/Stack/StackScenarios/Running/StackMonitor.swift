import Fetching
import Locks

/// Is told of everything that happens to the requests of a scenario's stack, and tells the steps they belong to.
final class StackMonitor: EventMonitor {
    /// Not kept by the monitor, which the sessions keep that they are made in.
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

    /// Lets a chain or batch hear of its requests.
    func add(_ group: GroupOperation) {
        let number = state.withLock { state in
            state.next += 1
            state.groups[state.next] = Weak(operation: group)
            return state.next
        }
        group.number.withLock { $0 = number }
    }

    /// Lets a download hear of its requests, which are to have the tag that is returned.
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

    /// The lines of the debug log so far.
    var log: [String] { state.withLock { $0.log } }

    /// Adds a line, or a few, of the debug log.
    func write(_ lines: String) { state.withLock { $0.log.append(lines) } }
}
