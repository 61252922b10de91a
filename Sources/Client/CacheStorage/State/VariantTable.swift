import CacheSemantics

/// The digests by which requests select the variants of one key, so that a hit examines no variant that it does not
/// select.
///
/// The positions are those of the entries from which it was created.
struct VariantTable: Sendable {
    /// The variants that a request may select.
    struct Choice {
        /// First the variants that it selects by their digests, then those that only the engine can decide on.
        fileprivate(set) var places: [Int] = []
        /// The number of `places` that it selects by their digests.
        fileprivate(set) var selectedCount = 0
    }
    private struct Row {
        /// The number of its `Vary`; negative if any request may select it.
        var list: Int32
        var presented: UInt64
        var variant: UInt64
        /// The variant whose content it has, if it is an alias; zero otherwise.
        var content: UInt64
    }
    private static let unknown: Int32 = -1

    private var lists: [Vary] = []
    private var rows: [Row] = []

    /// Creates the table of variants, in their order.
    init(_ variants: [LocatedEntry]) {
        for located in variants { append(located.entry.stored) }
    }

    /// Adds a variant at the end.
    mutating func append(_ stored: StoredResponse) {
        rows.append(row(stored))
    }

    /// Replaces a variant by its newer version.
    mutating func replace(_ place: Int, by stored: StoredResponse) {
        let old = rows[place].list
        rows[place] = row(stored)
        dropIfUnused(old)
    }

    /// Removes a variant; those after it move up.
    mutating func remove(at place: Int) {
        let old = rows.remove(at: place).list
        dropIfUnused(old)
    }

    /// The `Vary` of all variants and the digests of their requests' fields as presented; `nil` if variants have
    /// different ones, or the content of others.
    var uniform: (vary: Vary, presented: [UInt64])? {
        guard lists.count == 1, !lists[0].neverMatches, rows.allSatisfy({ $0.list == 0 && $0.content == 0 })
        else {
            return nil
        }
        return (lists[0], rows.map(\.presented))
    }

    /// Returns the variants that a request may select, with those that have their content.
    func choice(by selector: VariantSelector) -> Choice {
        var choice = Choice()
        for number in lists.indices where !lists[number].neverMatches {
            let list = Int32(number)
            // Usually the request has the spelling of the stored one; then nothing has to be normalized.
            if let digest = selector.presentedDigest(lists[number]),
                add({ $0.list == list && $0.presented == digest }, to: &choice)
            {
                continue
            }
            let digest = selector.variantDigest(lists[number])
            add({ $0.list == list && $0.variant == digest }, to: &choice)
        }
        choice.selectedCount = choice.places.count
        guard selector.leavesOut else {
            add({ _ in true }, to: &choice)
            return choice
        }
        for number in lists.indices where !selector.isExact(lists[number]) {
            add({ $0.list == Int32(number) }, to: &choice)
        }
        add({ $0.list == Self.unknown }, to: &choice)
        return choice
    }

    /// Adds the rows that satisfy `isMeant`, each once, with those that have their content; false if there are none.
    @discardableResult
    private func add(_ isMeant: (Row) -> Bool, to choice: inout Choice) -> Bool {
        var isFound = false
        for index in rows.indices where isMeant(rows[index]) {
            isFound = true
            Self.add(index, to: &choice)
            guard rows[index].content != 0 else { continue }
            let source = rows.firstIndex { $0.variant == rows[index].content }
            if let source { Self.add(source, to: &choice) }
        }
        return isFound
    }

    private static func add(_ place: Int, to choice: inout Choice) {
        if !choice.places.contains(place) { choice.places.append(place) }
    }

    private mutating func row(_ stored: StoredResponse) -> Row {
        Row(
            list: stored.selection.map { number(of: $0) } ?? Self.unknown,
            presented: stored.presentedDigest,
            variant: stored.variant.digest,
            content: stored.isAlias ? stored.contentVariant.digest : 0
        )
    }

    private mutating func number(of vary: Vary) -> Int32 {
        if let number = lists.firstIndex(of: vary) { return Int32(number) }
        lists.append(vary)
        return Int32(lists.count - 1)
    }

    /// Removes a list that no row uses; the last list gets its number.
    private mutating func dropIfUnused(_ list: Int32) {
        guard list >= 0, !rows.contains(where: { $0.list == list }) else { return }
        let last = Int32(lists.count - 1)
        lists.swapAt(Int(list), Int(last))
        lists.removeLast()
        for index in rows.indices where rows[index].list == last { rows[index].list = list }
    }
}

/// The variants of one key that were found.
struct FoundVariants {
    var entries: [LocatedEntry] = []
    /// Whether other variants, which the request cannot select, were left out.
    var leavesOut = false
}

extension [LocatedEntry] {
    /// Returns the variants at the chosen positions.
    func chosen(_ choice: VariantTable.Choice) -> FoundVariants {
        FoundVariants(entries: choice.places.map { self[$0] }, leavesOut: choice.places.count < count)
    }
}
