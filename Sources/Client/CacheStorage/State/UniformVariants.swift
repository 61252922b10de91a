import CacheSemantics

/// The variants of one key where all have the same `Vary` and content of their own, as nearly always: the one that a request
/// selects is found at a glance, and handed out without a copy.
struct UniformVariants: Sendable {
    private let vary: Vary
    private let presented: [UInt64]
    /// Each entry by itself, from its first use on.
    private var single: [[LocatedEntry]]

    /// Creates it of a table; `nil` where its variants are not alike.
    init?(_ table: VariantTable) {
        guard let (vary, presented) = table.uniform else { return nil }
        self.vary = vary
        self.presented = presented
        single = Array(repeating: [], count: presented.count)
    }

    /// Returns the place of the only variant that a request may select; `nil` where more has to be looked at.
    func place(by selector: VariantSelector) -> Int? {
        guard selector.leavesOut, selector.isExact(vary), let digest = selector.presentedDigest(vary),
            let place = presented.firstIndex(of: digest), !presented[(place + 1)...].contains(digest)
        else { return nil }
        return place
    }

    /// Returns one of the entries that it was made for.
    mutating func only(_ place: Int, of entries: [LocatedEntry]) -> [LocatedEntry] {
        if single[place].isEmpty { single[place] = [entries[place]] }
        return single[place]
    }
}
