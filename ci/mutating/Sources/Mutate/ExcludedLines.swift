import ArgumentParser
import Foundation

/// What a line has no mutants of, since they did not compile; each case includes the ones before.
enum Exclusion: Int, Comparable {
    /// Of everything but conditions: what the compiler's solver takes too long for nearly always is arithmetic.
    case others = 1
    /// Of anything.
    case line
    /// Of anything, and the other lines of the innermost statement neither.
    case statement

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The lines of the source that get fewer mutants, since one there did not compile.
struct ExcludedLines {
    private var exclusions: [String: Exclusion] = [:]

    /// Reads the file, in which a place stands as often as it was found; there are none where it does not exist.
    init(contentsOf path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        for place in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            _ = exclude(String(place))
        }
    }

    func lines(of file: String) -> [Int: Exclusion] {
        let found = exclusions.filter { $0.key.hasPrefix(file + ":") }.compactMap { place, exclusion in
            Int(place.dropFirst(file.count + 1)).map { ($0, exclusion) }
        }
        return Dictionary(found) { first, _ in first }
    }

    /// Excludes more of each place; returns of how many that was possible.
    mutating func exclude(_ places: Set<String>) -> Int {
        var count = 0
        for place in places where exclude(place) { count += 1 }
        return count
    }

    private mutating func exclude(_ place: String) -> Bool {
        guard let next = Exclusion(rawValue: (exclusions[place]?.rawValue ?? 0) + 1) else { return false }
        exclusions[place] = next
        return true
    }

    func write(to path: String) throws {
        let lines = exclusions.sorted { $0.key < $1.key }.flatMap { place, exclusion in
            Array(repeating: place + "\n", count: exclusion.rawValue)
        }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
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
        let text = try String(contentsOfFile: log, encoding: .utf8)
        let count = excluded.exclude(Set(text.split(separator: "\n").compactMap(place)))
        guard count > 0 else {
            throw ValidationError("the build fails for another reason than a mutant; see \(log)")
        }
        try excluded.write(to: excluding)
        print("\(count) lines get fewer mutants, since those that they have do not compile")
    }

    /// `path:line` of an error below the root.
    private func place(_ line: Substring) -> String? {
        guard line.hasPrefix(root + "/"), line.contains(": error: ") else { return nil }
        let parts = line.dropFirst(root.count + 1).split(separator: ":", maxSplits: 2)
        guard parts.count == 3, let number = Int(parts[1]) else { return nil }
        return "\(parts[0]):\(number)"
    }
}
