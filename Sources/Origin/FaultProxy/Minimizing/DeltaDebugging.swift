/// Finds a smallest part of a list that still fails, by Zeller's and Hildebrandt's `ddmin`.
///
/// The result is 1-minimal: without any one of its elements it no longer fails.
package enum DeltaDebugging {
    /// Returns the part, in the list's order; `all` fails, and the empty list does not.
    ///
    /// Every list is tried once at most.
    package static func minimal<Element: Hashable>(
        _ all: [Element],
        fails: ([Element]) throws -> Bool
    ) throws -> [Element] {
        var known: [[Element]: Bool] = [:]
        func isFailing(_ part: [Element]) throws -> Bool {
            if let result = known[part] { return result }
            let result = try fails(part)
            known[part] = result
            return result
        }
        var (current, count) = (all, 2)
        while current.count > 1 {
            let pieces = Self.pieces(of: current, count)
            let rests = pieces.indices.lazy.map { index in
                Array((pieces[..<index] + pieces[(index + 1)...]).joined())
            }
            if let piece = try pieces.first(where: isFailing) {
                (current, count) = (piece, 2)
            } else if let rest = try rests.first(where: isFailing) {
                (current, count) = (rest, max(count - 1, 2))
            } else if count < current.count {
                count = min(count * 2, current.count)
            } else {
                break
            }
        }
        return current
    }

    /// Returns `count` pieces of a list whose sizes differ by one at most.
    private static func pieces<Element>(of list: [Element], _ count: Int) -> [[Element]] {
        (0..<count).map { Array(list[list.count * $0 / count..<list.count * ($0 + 1) / count]) }
    }
}
