import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A source file, with all mutants that can be made of it.
struct MutatedFile {
    /// Relative to the root of the project.
    let path: String
    private let tree: SourceFileSyntax
    private let firstID: Int
    private let exclusions: [Int: Exclusion]
    /// All its mutants, and those of lines that are not excluded.
    let numbered: (all: [Mutant], compiled: [Mutant])
    /// The first number of the next file.
    let nextID: Int

    /// `nil` for what is no source file.
    init?(path: String, text: String, firstID: Int, exclusions: [Int: Exclusion]) {
        // An operator that is not of the standard library leaves its expression unfolded, hence without mutants.
        let folded = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
        guard let tree = folded.as(SourceFileSyntax.self) else { return nil }
        (self.path, self.tree, self.firstID, self.exclusions) = (path, tree, firstID, exclusions)
        let rewriter = MutationRewriter(file: path, tree: tree, firstID: firstID, exclusions: exclusions)
        _ = rewriter.rewrite(tree)
        (numbered, nextID) = (rewriter.numbered, rewriter.nextID)
    }

    /// Returns the source with its mutants behind switches, and these; only those whose number is wanted.
    func instrumented(_ chosen: ChosenMutants?, chosenOnly: Bool, where isWanted: @escaping (Int) -> Bool)
        -> (text: String, mutants: [Mutant])
    {
        let choices = chosen?.choices ?? []
        let rewriter = MutationRewriter(
            file: path,
            tree: tree,
            firstID: firstID,
            exclusions: exclusions,
            written: chosen?.written(in: path, besides: numbered.compiled) ?? [],
            where: { mutant in
                isWanted(mutant.id) && (!chosenOnly || choices.contains { $0.isOf(mutant) })
            }
        )
        let text = rewriter.rewrite(tree).description
        let mutants = rewriter.numbered.compiled
        // At the end, so that no line moves.
        return (text + (mutants.isEmpty ? "" : "\npublic import MutationSwitch\n"), mutants)
    }
}
