/// The order in which numbered slots were last used: a doubly linked list over array indices.
///
/// Adding, touching and removing a slot take constant time and no separate allocation.
package struct RecencyList: Sendable {
    private struct Link {
        var newer: Int32
        var older: Int32
    }
    private static let end: Int32 = -1
    private var links: [Link] = []
    private var free: [Int32] = []
    private var head = RecencyList.end
    private var tail = RecencyList.end

    /// Creates an empty list.
    package init() {}

    /// The most recently used slot; `nil` if there is none.
    package var newest: Int? { head == Self.end ? nil : Int(head) }

    /// The least recently used slot; `nil` if there is none.
    package var oldest: Int? { tail == Self.end ? nil : Int(tail) }

    /// Adds a slot as the newest and returns it: a freed one, or the next number.
    package mutating func add() -> Int {
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
        } else {
            slot = Int32(links.count)
            links.append(Link(newer: Self.end, older: Self.end))
        }
        linkAsNewest(slot)
        return Int(slot)
    }

    /// Makes `slot` the newest.
    @inline(__always)
    package mutating func touch(_ slot: Int) {
        let slot = Int32(truncatingIfNeeded: slot)
        guard slot != head else { return }
        unlink(slot)
        linkAsNewest(slot)
    }

    /// Frees `slot` for reuse.
    package mutating func remove(_ slot: Int) {
        unlink(Int32(slot))
        free.append(Int32(slot))
    }

    /// Returns the slot used just before `slot`; `nil` if `slot` is the oldest.
    package func older(than slot: Int) -> Int? {
        let older = links[slot].older
        return older == Self.end ? nil : Int(older)
    }

    private mutating func linkAsNewest(_ slot: Int32) {
        links[Int(slot)] = Link(newer: Self.end, older: head)
        if head != Self.end { links[Int(head)].newer = slot } else { tail = slot }
        head = slot
    }

    private mutating func unlink(_ slot: Int32) {
        let link = links[Int(slot)]
        if link.newer != Self.end { links[Int(link.newer)].older = link.older } else { head = link.older }
        if link.older != Self.end { links[Int(link.older)].newer = link.newer } else { tail = link.newer }
    }
}
