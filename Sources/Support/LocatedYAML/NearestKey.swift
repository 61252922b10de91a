/// Suggestions for mistyped words.
package enum NearestKey {
    /// Returns the candidate with the smallest edit distance, if that is at most three and a third of the word.
    package static func suggestion(for word: String, among candidates: [String]) -> String? {
        suggestions(for: word, among: candidates).first
    }

    /// Returns the candidates whose edit distance is at most three and a third of the word, nearest first.
    package static func suggestions(for word: String, among candidates: [String]) -> [String] {
        suggestions(for: word, among: candidates, within: min(3, max(1, word.count / 3)))
    }

    /// Returns the candidates whose edit distance is at most `limit`, nearest first.
    package static func suggestions(for word: String, among candidates: [String], within limit: Int)
        -> [String]
    {
        let letters = Array(word.utf8)
        // Each edit changes the length by one at most.
        let measured = candidates.filter { abs($0.utf8.count - letters.count) <= limit }.enumerated().map {
            (place: $0.offset, candidate: $0.element, distance: distance(letters, Array($0.element.utf8)))
        }
        let near = measured.filter { $0.distance <= limit }
        return near.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }.map(\.candidate)
    }

    /// Returns the allowed words for a problem.
    package static func alternatives(_ words: [String]) -> String {
        words.count == 1 ? "\"\(words[0])\"" : "one of " + words.joined(separator: ", ")
    }

    /// Returns the words to expect in place of an unknown one: the nearest of them in quotes, or all if none is near.
    package static func expected(for word: String, among candidates: [String]) -> String {
        suggestion(for: word, among: candidates).map { "\"\($0)\"" } ?? alternatives(candidates)
    }

    /// Returns the edit distance of two words; a transposition of adjacent characters counts one.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard left.count <= 64, right.count <= 64 else { return .max }
        var rows = [Array(0...right.count)]
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = rows[row][column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, rows[row][column + 1] + 1, current[column] + 1)
                let isSwap =
                    row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
                if isSwap { best = min(best, rows[row - 1][column - 1] + 1) }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}
