import ArgumentParser
import Foundation

/// The lines of the source that get no mutant, since one there did not compile.
struct ExcludedLines {
    private var places: Set<String>

    /// Reads the file; there are none where it does not exist.
    init(contentsOf path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            places = []
            return
        }
        places = Set(
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { String($0) }
        )
    }

    func lines(of file: String) -> Set<Int> {
        Set(places.filter { $0.hasPrefix(file + ":") }.compactMap { Int($0.dropFirst(file.count + 1)) })
    }

    var count: Int { places.count }

    mutating func add(_ found: some Sequence<String>) { places.formUnion(found) }

    func write(to path: String) throws {
        try (places.sorted().joined(separator: "\n") + "\n").write(
            toFile: path,
            atomically: true,
            encoding: .utf8
        )
    }
}

/// Collects the places of a compiler's errors.
struct Exclude: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Exclude the lines in which a compiler found errors."
    )

    @Option(help: "The root of the copy.") var root: String
    @Option(help: "File of places, to which those of the errors are added.") var excluding: String
    @Argument(help: "The compiler's output.") var log: String

    func run() throws {
        var excluded = try ExcludedLines(contentsOf: excluding)
        let before = excluded.count
        let text = try String(contentsOfFile: log, encoding: .utf8)
        excluded.add(text.split(separator: "\n").compactMap(place))
        guard excluded.count > before else {
            throw ValidationError("the build fails for another reason than a mutant; see \(log)")
        }
        try excluded.write(to: excluding)
        print("\(excluded.count - before) more lines whose mutants do not compile")
    }

    /// `path:line` of an error below the root.
    private func place(_ line: Substring) -> String? {
        guard line.hasPrefix(root + "/"), line.contains(": error: ") else { return nil }
        let parts = line.dropFirst(root.count + 1).split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let number = Int(parts[1]) else { return nil }
        return "\(parts[0]):\(number)"
    }
}
