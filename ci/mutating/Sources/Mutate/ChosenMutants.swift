import Foundation

/// Mutants that a person chose since they do what a rule of the documents forbids.
struct ChosenMutants: Sendable {
    struct Choice: Sendable, Hashable {
        let rule: String
        /// The mutant as ``Mutant/key``, with or without the line after the file.
        let mutant: String

        /// Whether it is this mutant.
        func isOf(_ mutant: Mutant) -> Bool {
            guard self.mutant.hasPrefix(mutant.file) else { return false }
            return self.mutant == mutant.key || self.mutant == "\(mutant.file): \(mutant.summary)"
                || self.mutant == "\(mutant.file):\(mutant.line): \(mutant.summary)"
        }
    }

    private(set) var choices: [Choice] = []

    /// Parses lines of a rule, a tab and a mutant; `#` starts a comment.
    init(text: String = "") throws {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t").map(String.init)
            guard parts.count == 2 else {
                throw MutationError.malformed("expected a rule, a tab and a mutant: \(line)")
            }
            choices.append(Choice(rule: parts[0], mutant: parts[1]))
        }
    }

    init(contentsOf path: String) throws {
        try self.init(text: try String(contentsOfFile: path, encoding: .utf8))
    }

    /// The changes of a file that are not among its mechanical mutants, numbered in the order of the whole list.
    func written(in file: String, besides made: [Mutant]) -> [WrittenChange] {
        let known = Set(made.map(\.key) + made.map { "\($0.file): \($0.summary)" })
        var seen: Set<String> = []
        let distinct = choices.map(\.mutant).filter { seen.insert($0).inserted }
        return distinct.enumerated().compactMap { number, mutant in
            known.contains(mutant) ? nil : WrittenChange(mutant, of: file, id: number + 1)
        }
    }
}

/// A change of an expression as a person wrote it.
struct WrittenChange: Sendable, Hashable {
    /// Below ``firstOther``.
    let id: Int
    /// The expression, on one line; every place in the file that has it is changed.
    let original: String
    let replacement: String

    /// The first number of the other mutants: those keep theirs while changes are added.
    static let firstOther = 1000

    /// Reads `FILE: ORIGINAL → REPLACEMENT`; `nil` for another file or kind of change.
    init?(_ mutant: String, of file: String, id: Int) {
        guard mutant.hasPrefix(file + ": "), id < Self.firstOther else { return nil }
        let parts = mutant.dropFirst(file.count + 2).components(separatedBy: " → ")
        guard parts.count == 2 else { return nil }
        (self.id, original, replacement) = (id, parts[0], parts[1])
    }

    /// Joins lines as they are compared, without their indentation.
    static func onOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { line in
            String(line.drop(while: \.isWhitespace))
        }.joined(separator: " ")
    }
}
