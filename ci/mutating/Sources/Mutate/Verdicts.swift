import Foundation

/// What became of a mutant.
enum MutantVerdict: Sendable, Equatable {
    /// Noticed by this trial of a scenario.
    case byScenarios(String)
    /// Noticed by one of these suites.
    case byTests(String)
    case survived
    /// Survived, and no scenario executes it.
    case unreached
    /// The check could not be started.
    case notRun(String)
}

/// The verdicts of a run, kept in a file as they come, so that an interrupted run can be continued.
///
/// Each line has the mutant's number, the verdict, what noticed the mutant, and the mutant itself, with tabs between. The
/// first line identifies the list of mutants.
struct VerdictFile {
    private let handle: FileHandle
    /// The verdicts of the run that is continued.
    private(set) var known: [Int: MutantVerdict] = [:]

    /// Opens the file; a run of the same mutants is continued only if wanted.
    init(_ path: String, of mutants: [Mutant], continuing: Bool) throws {
        let head = "# \(Self.identity(of: mutants))"
        let present = continuing ? try? String(contentsOfFile: path, encoding: .utf8) : nil
        let lines = (present ?? "").split(separator: "\n").map(String.init)
        if lines.first == head {
            known = Dictionary(lines.dropFirst().compactMap(Self.read)) { $1 }
        } else {
            try (head + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
    }

    func add(_ mutant: Mutant, _ verdict: MutantVerdict) throws {
        let (name, detail) = verdict.written
        let fields = [
            String(mutant.id), name, detail, "\(mutant.file):\(mutant.line)", mutant.numberedSummary,
        ]
        try handle.write(contentsOf: Data((fields.joined(separator: "\t") + "\n").utf8))
    }

    private static func read(_ line: String) -> (Int, MutantVerdict)? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 3, let id = Int(fields[0]),
            let verdict = MutantVerdict(name: fields[1], detail: fields[2])
        else { return nil }
        return (id, verdict)
    }

    private static func identity(of mutants: [Mutant]) -> String {
        var hash = StableHash()
        for mutant in mutants { hash.add("\(mutant.file):\(mutant.line):\(mutant.summary)\n") }
        return String(hash.value, radix: 16)
    }
}

extension MutantVerdict {
    /// The verdict's name and detail in a file; a mutant that was not run is run again.
    fileprivate var written: (String, String) {
        switch self {
        case .byScenarios(let trial): ("scenario", trial)
        case .byTests(let suites): ("test", suites)
        case .survived: ("survived", "")
        case .unreached: ("unreached", "")
        case .notRun(let reason):
            ("not-run", reason.split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }

    fileprivate init?(name: String, detail: String) {
        switch name {
        case "scenario": self = .byScenarios(detail)
        case "test": self = .byTests(detail)
        case "survived": self = .survived
        case "unreached": self = .unreached
        default: return nil
        }
    }
}
