import Foundation

/// Mutants that behave like the original, each with its reason.
struct EquivalentMutants {
    private struct Line {
        /// `file:line` of the list.
        let place: String
        let key: String
    }
    private let lines: [Line]
    private let keys: Set<String>

    /// Reads lines of key, tab and reason; `#` begins a comment.
    ///
    /// There are none where the file does not exist.
    init(contentsOf path: String) throws {
        let isPresent = FileManager.default.fileExists(atPath: path)
        try self.init(isPresent ? String(contentsOfFile: path, encoding: .utf8) : "", path: path)
    }

    /// Reads the text of a list, whose path is for problems.
    init(_ text: String, path: String) throws {
        var lines: [Line] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2 else {
                throw MutationError.malformed("\(path):\(number + 1): expected a key, a tab and a reason")
            }
            lines.append(Line(place: "\(path):\(number + 1)", key: String(parts[0])))
        }
        self.lines = lines
        keys = Set(lines.map(\.key))
    }

    func contains(_ mutant: Mutant) -> Bool { keys.contains(mutant.key) }

    /// Throws all keys of files below these folders that are not the key of exactly one mutant.
    func check(against keys: [String], below folders: [String]) throws {
        let known = Set(keys)
        var listed: Set<String> = []
        var problems: [String] = []
        for line in lines where folders.contains(where: { line.key.hasPrefix($0 + "/") }) {
            if !listed.insert(line.key).inserted {
                problems.append("\(line.place): listed twice: \(line.key)")
            }
            guard !known.contains(line.key) else { continue }
            problems.append("\(line.place): \(Self.problem(of: line.key, keys))")
        }
        guard problems.isEmpty else { throw MutationError.malformed(problems.joined(separator: "\n")) }
    }

    private static func problem(of key: String, _ keys: [String]) -> String {
        if let first = keys.first(where: { $0.hasPrefix(key + " (1 of ") }) {
            return "the file has this change more than once; expected it with its number, as in \(first)"
        }
        return "no mutant has this key: \(key)"
    }
}
