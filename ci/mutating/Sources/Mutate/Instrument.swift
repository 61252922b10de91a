import ArgumentParser
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Writes the mutants of folders into a copy of the project.
struct Instrument: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add mutants to a copy of the project, behind switches."
    )

    @Option(help: "The root of the project; only read.") var from: String
    @Option(help: "The root of the copy, whose files are replaced.") var to: String
    @Option(help: "File of places, `path:line`, that get fewer mutants since these do not compile.")
    var excluding: String
    @Option(
        help: "File of equivalent mutants, each of which must be a mutant of the folders, if it is below one."
    )
    var equivalent: String
    @Option(help: "The file to which the mutants are written.") var list: String
    @Argument(help: "The folders, relative to the root.") var folders: [String]

    func run() throws {
        let excluded = try ExcludedLines(contentsOf: excluding)
        var mutants: [Mutant] = []
        var keys: [String] = []
        var nextID = 1
        for path in try folders.flatMap(sources).sorted() {
            let text = try String(contentsOfFile: "\(from)/\(path)", encoding: .utf8)
            // An operator that is not of the standard library leaves its expression unfolded, hence without mutants.
            let folded = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
            guard let tree = folded.as(SourceFileSyntax.self) else { continue }
            let rewriter = MutationRewriter(
                file: path,
                tree: tree,
                firstID: nextID,
                exclusions: excluded.lines(of: path)
            )
            let result = rewriter.rewrite(tree).description
            // An excluded mutant counts among the same changes, so that the others keep their numbers.
            let numbered = (rewriter.mutants + rewriter.excluded).numbered()
            let compiled = Set(rewriter.mutants.map(\.id))
            mutants += numbered.filter { compiled.contains($0.id) }
            keys += numbered.map(\.key)
            nextID = rewriter.nextID
            // At the end, so that no line moves.
            let imported = rewriter.mutants.isEmpty ? "" : "\npublic import MutationSwitch\n"
            try replace("\(to)/\(path)", by: result + imported)
        }
        try EquivalentMutants(contentsOf: equivalent).check(against: keys, below: folders)
        try JSONEncoder().encode(mutants).write(to: URL(fileURLWithPath: list))
        print("\(mutants.count) mutants in \(folders.joined(separator: ", "))")
    }

    private func sources(below folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: "\(from)/\(folder)")
        return names.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }

    /// Leaves a file alone that is as it should be, so that it is not compiled again.
    private func replace(_ path: String, by text: String) throws {
        if let present = try? String(contentsOfFile: path, encoding: .utf8), present == text { return }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
