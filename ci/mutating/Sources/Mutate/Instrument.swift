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
    @Option(help: "File of chosen mutants, of which those are added that are not made mechanically.")
    var chosen: String?
    @Flag(help: "Add the chosen mutants only.") var chosenOnly = false
    @Argument(help: "The folders, relative to the root.") var folders: [String]

    func run() throws {
        let excluded = try ExcludedLines(contentsOf: excluding)
        let chosen = try chosen.map { try ChosenMutants(contentsOf: $0) }
        var mutants: [Mutant] = []
        var keys: [String] = []
        var nextID = chosen == nil ? 1 : WrittenChange.firstOther
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
            var result = rewriter.rewrite(tree).description
            let numbered = rewriter.numbered
            keys += numbered.all.map(\.key)
            var made = numbered.compiled
            if let chosen {
                let (choices, isLimited) = (chosen.choices, chosenOnly)
                let second = MutationRewriter(
                    file: path,
                    tree: tree,
                    firstID: nextID,
                    exclusions: excluded.lines(of: path),
                    written: chosen.written(in: path, besides: made),
                    where: { mutant in !isLimited || choices.contains { $0.isOf(mutant) } }
                )
                (result, made) = (second.rewrite(tree).description, second.numbered.compiled)
            }
            mutants += made
            nextID = rewriter.nextID
            // At the end, so that no line moves.
            let imported = made.isEmpty ? "" : "\npublic import MutationSwitch\n"
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
