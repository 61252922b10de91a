import Clocks
import HTTPServing
import JSON
import Locks
import MockOrigin

/// A proxy's record of one exchange.
public struct JournalEntry: Sendable, Hashable {
    /// Its place in the order of the journal, from 1; also of connections without requests.
    public internal(set) var id = 0
    /// Its number, from 1.
    public let number: Int
    /// The connection and the request's number on it; only the connection where no request was read.
    public let name: String
    /// The request's method.
    public let method: String
    /// The request's target, such as `/a?b=c`; an absolute URL at a forward proxy.
    public let target: String
    /// When the request's head was read, in seconds since 1970.
    package let startedSeconds: Double
    /// The label of the rule that matched; empty for none.
    public let rule: String
    /// The status that was sent; `nil` before that, and where a fault cut the head off.
    public internal(set) var status: Int?
    /// The status of the upstream, where another one was sent, or none.
    public internal(set) var upstreamStatus: Int?
    /// The injected faults, each with its place, such as `reset@body:20000`.
    public internal(set) var injected: [String] = []
    /// How it ended; `nil` while it continues.
    public internal(set) var ended: String?
    /// The reason why the upstream was not asked, where that is not a fault.
    public internal(set) var cause: String?
    /// Milliseconds until it ended.
    package internal(set) var milliseconds: Double?
    /// The head of the request as it was received; empty if none was read.
    public internal(set) var requestHead: [UInt8] = []
    /// The head of the response as it was sent; empty before that, and where a fault ended the connection before.
    public internal(set) var responseHead: [UInt8] = []
    /// The content of the request as the upstream has received it; empty until the exchange has ended.
    var requestContent = KeptContent()
    /// The content of the response as the client has received it; empty until the exchange has ended.
    var responseContent = KeptContent()

    /// When the request's head was read, since 1970-01-01T00:00:00Z.
    public var startedAt: Duration { .saturating(seconds: startedSeconds) }

    /// The time until it ended; `nil` while it continues.
    public var duration: Duration? { milliseconds.map { .milliseconds($0) } }

    /// Bytes of contents that are kept.
    fileprivate var keptBytes: Int { requestContent.bytes.count + responseContent.bytes.count }

    /// Bytes of the heads, and of the target, which is stored with them.
    fileprivate var headBytes: Int { requestHead.count + responseHead.count + target.utf8.count }

    /// The entry as the control API shows it.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("id", .integer(id)), ("number", .integer(number)), ("name", .string(name)),
            ("method", .string(method)),
            ("target", .string(target)), ("time", .decimal(startedSeconds, places: 3)),
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
        add("fields", requestHead.isEmpty ? nil : Self.fields(requestHead))
        add("answerFields", responseHead.isEmpty ? nil : Self.fields(responseHead))
        return .object(members)
    }

    private static func fields(_ head: [UInt8]) -> JSONValue {
        .array(HeadBytes(head).fields.map { [.string($0.name), .string($0.value)] })
    }

    /// The entry of an archive; `origin` is the scheme and authority of targets without them.
    func archived(_ origin: String) -> JournalArchive.Entry {
        let url = target.hasPrefix("/") ? origin + target : target
        var entry = JournalArchive.Entry(startedAt: startedSeconds, method: method, url: url)
        (entry.milliseconds, entry.status, entry.injected) = (milliseconds, status, injected)
        entry.fields = HeadBytes(requestHead).fields.map { ServedField($0.name, $0.value) }
        entry.answerFields = HeadBytes(responseHead).fields.map { ServedField($0.name, $0.value) }
        (entry.content, entry.answerContent) = (requestContent, responseContent)
        entry.ended = ended == "complete" ? nil : ended
        entry.rule = rule.isEmpty ? nil : rule
        return entry
    }
}

/// The last exchanges of a proxy, and what was injected into them.
final class ProxyJournal: Sendable {
    private struct State {
        var entries: [JournalEntry] = []
        /// The number of the last change of each entry.
        var revisions: [Int] = []
        /// The number of exchanges that were removed because they, or their heads, were too many.
        var dropped = 0
        var added = 0
        var revision = 0
        /// Bytes of contents of all entries.
        var keptBytes = 0
        /// Bytes of heads of all entries.
        var headBytes = 0
        /// Entries at the beginning whose contents were removed.
        var forgotten = 0
        /// The clients that wait for events, by a number of their own.
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var watcherCount = 0

        mutating func changed(_ place: Int) {
            revision += 1
            revisions[place] = revision
            notify()
        }

        func notify() {
            for watcher in watchers.values { watcher.yield() }
        }

        mutating func removeFirst(_ count: Int) {
            keptBytes -= entries.prefix(count).reduce(0) { $0 + $1.keptBytes }
            headBytes -= entries.prefix(count).reduce(0) { $0 + $1.headBytes }
            dropped += count
            forgotten = max(0, forgotten - count)
            entries.removeFirst(count)
            revisions.removeFirst(count)
        }

        /// Adds an entry; above a limit the oldest tenth is removed.
        mutating func add(_ entry: JournalEntry) {
            if entries.count >= ProxyJournal.most { removeFirst(ProxyJournal.most / 10) }
            added += 1
            entries.append(entry)
            entries[entries.count - 1].id = added
            headBytes += entry.headBytes
            revisions.append(0)
            changed(entries.count - 1)
            limitHeads()
        }

        /// Removes the oldest entries if the heads of all are too large, but not the last entry.
        private mutating func limitHeads() {
            guard headBytes > ProxyJournal.mostHeadBytes else { return }
            var (excess, count) = (headBytes - ProxyJournal.mostHeadBytes / 10 * 9, 0)
            while excess > 0, count < entries.count - 1 {
                excess -= entries[count].headBytes
                count += 1
            }
            removeFirst(count)
        }

        /// Changes an entry, and removes the oldest contents and entries while there are too many.
        mutating func change(_ place: Int, _ change: (inout JournalEntry) -> Void) {
            keptBytes -= entries[place].keptBytes
            headBytes -= entries[place].headBytes
            change(&entries[place])
            keptBytes += entries[place].keptBytes
            headBytes += entries[place].headBytes
            while keptBytes > ProxyJournal.mostBytes, forgotten < entries.count {
                keptBytes -= entries[forgotten].keptBytes
                entries[forgotten].requestContent.forget()
                entries[forgotten].responseContent.forget()
                forgotten += 1
            }
            changed(place)
            limitHeads()
        }
    }
    private static let most = 10_000
    /// Bytes of heads that are kept at most.
    static let mostHeadBytes = 32 << 20
    /// Bytes of contents that are kept at most.
    static let mostBytes = 32 << 20
    private let state = Lock(State())

    /// The entries in the order in which their requests were read, and how many older ones were dropped.
    var entries: (entries: [JournalEntry], dropped: Int) { state.withLock { ($0.entries, $0.dropped) } }

    /// Adds an entry; above a limit the oldest tenth is dropped.
    func add(_ entry: JournalEntry) { state.withLock { $0.add(entry) } }

    /// Returns the entry of an exchange; `nil` if it was dropped.
    func entry(_ number: Int) -> JournalEntry? {
        state.withLock { $0.entries.last { $0.number == number } }
    }

    /// Changes the entry of an exchange, unless it was dropped.
    func change(_ number: Int, _ change: (inout JournalEntry) -> Void) {
        state.withLock { state in
            guard let place = state.entries.lastIndex(where: { $0.number == number }) else { return }
            state.change(place, change)
        }
    }

    /// Removes all entries.
    func clear() {
        state.withLock { state in
            (state.entries, state.revisions, state.dropped) = ([], [], 0)
            (state.keptBytes, state.headBytes, state.forgotten) = (0, 0, 0)
            state.notify()
        }
    }

    // MARK: News

    /// Returns the entries that changed after a revision, and the revision now.
    func changes(after revision: Int) -> (entries: [JournalEntry], revision: Int) {
        state.withLock { state in
            let places = state.revisions.indices.filter { state.revisions[$0] > revision }
            return (places.map { state.entries[$0] }, state.revision)
        }
    }

    /// Notifies waiting clients of an event that is not an exchange.
    func notify() { state.withLock { $0.notify() } }

    /// Returns a stream of one element at once and one whenever something was noted.
    func news() -> AsyncStream<Void> {
        let (stream, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.watcherCount += 1
            state.watchers[state.watcherCount] = sink
            return state.watcherCount
        }
        sink.onTermination = { [weak self] _ in self?.forget(number) }
        sink.yield()
        return stream
    }

    private func forget(_ watcher: Int) {
        // Ended outside the lock, because its end calls back here.
        _ = state.withLock { $0.watchers.removeValue(forKey: watcher) }
    }
}
