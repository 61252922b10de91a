import CacheSemantics

/// The variants of one key if all have the same `Vary` and content of their own, as is usual.
///
/// The variant that a request selects is found by its digest and returned without a copy.
struct UniformVariants: Sendable {
    private let vary: Vary
    private let presented: [UInt64]
    /// Each entry in an array of its own, from its first use on.
    private var single: [[LocatedEntry]]

    /// Creates the variants of a table; `nil` if they are not uniform.
    init?(_ table: VariantTable) {
        guard let (vary, presented) = table.uniform else { return nil }
        self.vary = vary
        self.presented = presented
        single = Array(repeating: [], count: presented.count)
    }

    /// Returns the position of the only variant that a request may select; `nil` if more must be examined.
    func place(by selector: VariantSelector) -> Int? {
        guard selector.leavesOut, selector.isExact(vary), let digest = selector.presentedDigest(vary),
            let place = presented.firstIndex(of: digest), !presented[(place + 1)...].contains(digest)
        else { return nil }
        return place
    }

    /// Returns the entry at `place` alone; `entries` are those of the table.
    mutating func only(_ place: Int, of entries: [LocatedEntry]) -> [LocatedEntry] {
        if single[place].isEmpty { single[place] = [entries[place]] }
        return single[place]
    }
}
