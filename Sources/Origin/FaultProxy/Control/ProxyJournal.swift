import Locks
import MockOrigin

/// The last exchanges of a proxy, and what was injected into them.
final class ProxyJournal: Sendable {
    private struct State {
        var ring = JournalRing<JournalEntry>(size: ProxyJournal.maximumEntries)
        /// Bytes of contents of all entries.
        var keptBytes = 0
        /// Bytes of heads of all entries.
        var headBytes = 0
        /// The number of the first entry whose contents were not removed.
        var firstWhole = 1

        mutating func add(_ entry: JournalEntry) {
            if ring.numbers.count == ProxyJournal.maximumEntries { removeFirst() }
            ring.add(entry) { slot, number in
                slot = entry
                slot.id = number
            }
            count(entry, 1)
            limitHeads()
        }

        private mutating func removeFirst() {
            let first = ring.numbers.lowerBound
            count(ring[first], -1)
            ring[first] = .removed
            ring.removeFirst()
        }

        private mutating func count(_ entry: JournalEntry, _ sign: Int) {
            keptBytes += sign * entry.keptBytes
            headBytes += sign * entry.headBytes
        }

        /// Removes the oldest entries if the heads of all are too large, but not the last entry.
        private mutating func limitHeads() {
            while headBytes > ProxyJournal.maximumHeadBytes, ring.numbers.count > 1 { removeFirst() }
        }

        /// Changes an entry, and removes the oldest contents and entries while there are too many.
        mutating func change(_ number: Int, _ change: (inout JournalEntry) -> Void) {
            count(ring[number], -1)
            ring.change(number, change)
            count(ring[number], 1)
            limitContents()
            limitHeads()
        }

        private mutating func limitContents() {
            firstWhole = max(firstWhole, ring.numbers.lowerBound)
            while keptBytes > ProxyJournal.maximumBytes, ring.numbers.contains(firstWhole) {
                keptBytes -= ring[firstWhole].keptBytes
                ring[firstWhole].requestContent.forget()
                ring[firstWhole].responseContent.forget()
                firstWhole += 1
            }
        }
    }
    private static let maximumEntries = 10_000
    /// Bytes of heads that are kept at most.
    static let maximumHeadBytes = 32 << 20
    /// Bytes of contents that are kept at most.
    static let maximumBytes = 32 << 20
    private let state = Lock(State())
    /// The clients that wait for news.
    let readers = JournalReaders()

    /// The entries in the order in which their requests were read, and how many older ones were dropped.
    var entries: (entries: [JournalEntry], dropped: Int) {
        state.withLock { ($0.ring.changes(), $0.ring.dropped) }
    }

    /// Adds an entry; above a limit the oldest are dropped.
    func add(_ entry: JournalEntry) { edit { $0.add(entry) } }

    /// Returns the entry of an exchange; `nil` if it was dropped.
    func entry(_ number: Int) -> JournalEntry? {
        state.withLock { state in state.ring.last { $0.number == number }.map { state.ring[$0] } }
    }

    /// Changes the entry of an exchange, unless it was dropped.
    func change(_ number: Int, _ change: (inout JournalEntry) -> Void) {
        edit { state in
            if let place = state.ring.last(where: { $0.number == number }) { state.change(place, change) }
        }
    }

    /// Removes all entries.
    func clear() {
        edit { state in
            state.ring.clear()
            (state.keptBytes, state.headBytes) = (0, 0)
        }
    }

    private func edit(_ body: (inout State) -> Void) {
        state.withLock(body)
        readers.notify()
    }

    /// Returns the entries that changed after a revision, and the revision now.
    func changes(after revision: Int) -> (entries: [JournalEntry], revision: Int) {
        state.withLock { ($0.ring.changes(after: revision), $0.ring.revision) }
    }
}

extension JournalEntry {
    /// A placeholder for a removed entry.
    fileprivate static let removed = JournalEntry(
        number: 0,
        name: "",
        method: "",
        target: "",
        startedSeconds: 0,
        rule: ""
    )
}
