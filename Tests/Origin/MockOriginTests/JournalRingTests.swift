import Testing

@testable import MockOrigin

@Suite("The entries of a journal")
struct JournalRingTests {
    private func ring(size: Int, adding count: Int) -> JournalRing<String> {
        var ring = JournalRing<String>(size: size)
        for _ in 0..<count { ring.add("") { $0 = "\($1)" } }
        return ring
    }

    @Test(
        "The last entries are kept in order, the others counted",
        arguments: [
            (3, 2, ["1", "2"], 0), (3, 3, ["1", "2", "3"], 0), (3, 7, ["5", "6", "7"], 4), (0, 2, [], 2),
            (.max, 3, ["1", "2", "3"], 0),
        ]
    )
    func keeps(size: Int, count: Int, kept: [String], dropped: Int) {
        let ring = ring(size: size, adding: count)
        #expect(ring.changes() == kept)
        #expect(ring.dropped == dropped)
    }

    @Test("A place keeps its entry, which the next one to take it may reuse")
    func reuse() {
        var ring = ring(size: 2, adding: 2)
        ring.add("") { $0 += "+\($1)" }
        #expect(ring.changes() == ["2", "1+3"])
    }

    @Test("Numbers continue after the removal of all entries")
    func clear() {
        var ring = ring(size: 2, adding: 3)
        ring.clear()
        #expect(ring.changes().isEmpty && ring.dropped == 0)
        #expect(ring.add("") { $0 = "\($1)" } == 4)
        #expect(ring.changes() == ["4"])
    }

    @Test(
        "Changes after a revision are those of entries that were added or changed, in the order of their numbers"
    )
    func changes() {
        var ring = ring(size: 3, adding: 3)
        let revision = ring.revision
        ring.add("") { $0 = "\($1)" }
        ring.change(2) { $0 += "!" }
        #expect(ring.changes(after: revision) == ["2!", "4"])
        #expect(ring.changes(after: ring.revision).isEmpty)
    }

    @Test("An entry that is no longer kept, or not yet, is not changed", arguments: [1, 2, 5])
    func absent(number: Int) {
        var ring = ring(size: 2, adding: 4)
        ring.change(number) { $0 += "!" }
        #expect(ring.changes() == ["3", "4"])
    }

    @Test("The oldest entry can be removed before the ring is full, and its number is not used again")
    func removal() {
        var ring = ring(size: 3, adding: 2)
        ring.removeFirst()
        #expect(ring.changes() == ["2"] && ring.dropped == 1)
        for _ in 0..<3 { ring.add("") { $0 = "\($1)" } }
        #expect(ring.changes() == ["3", "4", "5"] && ring.dropped == 2)
    }

    @Test("Setting an entry is not a change")
    func silent() {
        var ring = ring(size: 3, adding: 2)
        let revision = ring.revision
        ring[2] = "x"
        #expect(ring.changes(after: revision).isEmpty)
        #expect(ring.changes() == ["1", "x"])
        #expect(ring.last { $0 == "1" } == 1)
        #expect(ring.last { $0 == "2" } == nil)
    }
}
