/// Entries in order of arrival, all of them or the last ones in reused places, each with the revision of its last change.
package struct JournalRing<Entry> {
    private struct Slot {
        var entry: Entry
        var revision = 0
    }
    private let size: Int
    private var slots: [Slot] = []
    /// The number of the first entry in the first place.
    private var first = 1
    /// The numbers of the entries that are kept; they begin with 1 and continue after `clear()`.
    package private(set) var numbers = 1..<1
    /// The number of the last change.
    package private(set) var revision = 0

    /// Creates a ring of the last `size` entries; `.max` keeps all.
    package init(size: Int) { self.size = size }

    /// The number of entries that are no longer kept, of those since the last `clear()`.
    package var dropped: Int { numbers.lowerBound - first }

    private func place(of number: Int) -> Int { (number - first) % size }

    // MARK: Changing

    /// Adds an entry and returns its number; `fill` changes the entry whose place it takes, or a `new` one.
    @discardableResult
    package mutating func add(_ new: @autoclosure () -> Entry, _ fill: (inout Entry, Int) -> Void) -> Int {
        let number = numbers.upperBound
        numbers = max(numbers.lowerBound, number - size + 1)..<number + 1
        guard size > 0 else { return number }
        if place(of: number) == slots.count { slots.append(Slot(entry: new())) }
        change(number) { fill(&$0, number) }
        return number
    }

    /// Changes an entry, if it is kept.
    package mutating func change(_ number: Int, _ body: (inout Entry) -> Void) {
        guard numbers.contains(number) else { return }
        revision += 1
        let place = place(of: number)
        body(&slots[place].entry)
        slots[place].revision = revision
    }

    /// Removes the oldest entry; it stays in memory until its place is reused.
    package mutating func removeFirst() { numbers.removeFirst() }

    /// Removes all entries.
    package mutating func clear() {
        first = numbers.upperBound
        (slots, numbers) = ([], first..<first)
    }

    // MARK: Reading

    /// An entry that is kept; setting it is not reported as a change.
    package subscript(number: Int) -> Entry {
        get { slots[place(of: number)].entry }
        set { slots[place(of: number)].entry = newValue }
    }

    /// Returns the number of the last entry that satisfies a condition.
    package func last(where condition: (Entry) -> Bool) -> Int? {
        numbers.last { condition(slots[place(of: $0)].entry) }
    }

    /// Returns the entries that changed after a revision, by default all, the oldest first.
    package func changes(after revision: Int = -1) -> [Entry] {
        numbers.lazy.map { slots[place(of: $0)] }.filter { $0.revision > revision }.map(\.entry)
    }
}
