import CacheSemantics

/// The variants of one key if all have the same `Vary` and their own content, as is usual.
///
/// The variant that a request selects is found by its digest and returned without a copy. Without this
/// `hit-64-variants` takes 1.29 times a hit of one variant, with it 1.11 times.
struct UniformVariants: Sendable {
    private let vary: Vary
    private let places: DigestPlaces
    /// Each entry by itself, from its first use on.
    private var single: [[LocatedEntry]]

    /// Creates the variants of a table; `nil` if they are not uniform.
    init?(_ table: VariantTable) {
        guard let (vary, presented) = table.uniform else { return nil }
        self.vary = vary
        places = DigestPlaces(presented)
        single = Array(repeating: [], count: presented.count)
    }

    /// Returns the position of the only variant that a request may select; `nil` if more must be examined.
    @inline(__always)
    func place(by selector: VariantSelector) -> Int? {
        guard selector.leavesOut, selector.isExact(vary), let digest = selector.presentedDigest(vary) else {
            return nil
        }
        return places.only(digest)
    }

    /// Returns the entry at `place` alone; `entries` are those of the table.
    mutating func only(_ place: Int, of entries: [LocatedEntry]) -> [LocatedEntry] {
        if single[place].isEmpty { single[place] = [entries[place]] }
        return single[place]
    }
}

/// Where each of some digests is: a hash table with linear probing, in which a digest is its own hash.
struct DigestPlaces: Sendable {
    private struct Slot {
        var digest: UInt64 = 0
        var place = DigestPlaces.empty
    }
    private static let empty = -1
    private static let several = -2

    private var slots: [Slot]
    private let mask: Int

    /// Creates the table of digests by their places.
    init(_ digests: [UInt64]) {
        // At most half full, so that there is always an empty slot to end a search.
        var count = 2
        while count < 2 * digests.count { count *= 2 }
        slots = Array(repeating: Slot(), count: count)
        mask = count - 1
        for (index, digest) in digests.enumerated() {
            let slot = slot(of: digest)
            slots[slot] = Slot(digest: digest, place: slots[slot].place == Self.empty ? index : Self.several)
        }
    }

    /// Returns the place of a digest; `nil` if it has none or several.
    @inline(__always)
    func only(_ digest: UInt64) -> Int? {
        let place = slots[slot(of: digest)].place
        return place >= 0 ? place : nil
    }

    @inline(__always)
    private func slot(of digest: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: digest) & mask
        while slots[slot].place != Self.empty, slots[slot].digest != digest { slot = (slot + 1) & mask }
        return slot
    }
}
