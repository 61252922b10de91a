import JSON
import Locks

/// What a proxy knows of one exchange.
public struct JournalEntry: Sendable, Hashable {
    /// Its number, from 1.
    public let number: Int
    /// The connection and the request's number on it; only the connection where no request was read.
    public let name: String
    /// The request's method.
    public let method: String
    /// The request's target, such as `/a?b=c`; an absolute URL at a forward proxy.
    public let target: String
    /// When the request's head was read, in seconds since 1970.
    public let beganAt: Double
    /// The label of the rule that matched; empty for none.
    public let rule: String
    /// The status that was sent; `nil` before that.
    public internal(set) var status: Int?
    /// The status of the upstream, where the rule has changed it.
    public internal(set) var upstreamStatus: Int?
    /// What was injected, each with the place where it happened, such as `reset@body:20000`.
    public internal(set) var injected: [String] = []
    /// How it ended; `nil` while it goes on.
    public internal(set) var ended: String?
    /// Why the upstream was not asked, where that is not a fault.
    public internal(set) var cause: String?
    /// Milliseconds until it ended.
    public internal(set) var milliseconds: Double?

    /// The entry as the control API shows it.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("number", .integer(number)), ("name", .string(name)), ("method", .string(method)),
            ("target", .string(target)), ("time", .decimal(beganAt, places: 3)),
        ]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append((name, value)) }
        }
        add("rule", rule.isEmpty ? nil : .string(rule))
        add("status", status.map { .integer($0) })
        add("upstreamStatus", upstreamStatus.map { .integer($0) })
        add("injected", .array(injected.map { .string($0) }))
        add("ended", ended.map { .string($0) })
        add("cause", cause.map { .string($0) })
        add("milliseconds", milliseconds.map { .decimal($0, places: 3) })
        return .object(members)
    }
}

/// The last exchanges of a proxy, and what was injected into them.
final class ProxyJournal: Sendable {
    private struct State {
        var entries: [JournalEntry] = []
        /// How many were removed because there were too many.
        var dropped = 0
    }
    private static let most = 10_000
    private let state = Lock(State())

    /// The entries in the order in which their requests were read, and how many older ones were dropped.
    var entries: (entries: [JournalEntry], dropped: Int) { state.withLock { ($0.entries, $0.dropped) } }

    /// Adds an entry; above the limit the oldest tenth is dropped.
    func add(_ entry: JournalEntry) {
        state.withLock { state in
            if state.entries.count >= Self.most {
                let count = Self.most / 10
                state.entries.removeFirst(count)
                state.dropped += count
            }
            state.entries.append(entry)
        }
    }

    /// Returns the entry of an exchange; `nil` if it was dropped.
    func entry(_ number: Int) -> JournalEntry? {
        state.withLock { $0.entries.last { $0.number == number } }
    }

    /// Changes the entry of an exchange, unless it was dropped.
    func change(_ number: Int, _ change: (inout JournalEntry) -> Void) {
        state.withLock { state in
            guard let place = state.entries.lastIndex(where: { $0.number == number }) else { return }
            change(&state.entries[place])
        }
    }

    /// Removes all entries.
    func clear() {
        state.withLock { ($0.entries, $0.dropped) = ([], 0) }
    }
}
