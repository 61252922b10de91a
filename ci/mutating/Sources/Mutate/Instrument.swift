import ArgumentParser
import Foundation

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
    @OptionGroup var draw: MutantDraw
    @Argument(help: "The folders, relative to the root.") var folders: [String]

    func run() throws {
        let excluded = try ExcludedLines(contentsOf: excluding)
        let chosen = try chosen.map { try ChosenMutants(contentsOf: $0) }
        var files: [MutatedFile] = []
        for path in try folders.flatMap(sources).sorted() {
            let text = try String(contentsOfFile: "\(from)/\(path)", encoding: .utf8)
            let first = chosen == nil ? 1 : WrittenChange.firstOther
            let file = MutatedFile(
                path: path,
                text: text,
                firstID: files.last?.nextID ?? first,
                exclusions: excluded.lines(of: path)
            )
            if let file { files.append(file) }
        }
        let known = try EquivalentMutants(contentsOf: equivalent)
        try known.check(against: files.flatMap(\.numbered.all).map(\.key), below: folders)
        let wanted = wanted(of: files.flatMap(\.numbered.compiled), known)
        var mutants: [Mutant] = []
        for file in files {
            let (text, made) = file.instrumented(chosen, chosenOnly: chosenOnly, where: wanted)
            mutants += made
            try replace("\(to)/\(file.path)", by: text)
        }
        // Those that are not drawn count, too: the sample stands for them.
        let listed = draw.sample == nil ? mutants : files.flatMap(\.numbered.compiled)
        try JSONEncoder().encode(listed).write(to: URL(fileURLWithPath: list))
        print("\(mutants.count) mutants in \(folders.joined(separator: ", "))")
    }

    /// Returns whether a mutant with this number gets into the program: with a sample, only those of it, which compile quickly.
    private func wanted(of mutants: [Mutant], _ known: EquivalentMutants) -> (Int) -> Bool {
        guard draw.sample != nil else { return { _ in true } }
        let drawn = folders.flatMap { folder in
            draw.drawn(from: mutants.filter { $0.file.hasPrefix(folder + "/") && !known.contains($0) })
        }
        return Set(drawn.map(\.id)).contains
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
