import Foundation

/// A part of the checks that runs as one process, and the mutants that it reaches.
struct Suite: Sendable {
    let name: String
    let program: String
    let arguments: [String]
    /// In seconds, without a mutant.
    private(set) var duration = 0.0
    private(set) var reached: Set<Int> = []

    init(name: String, program: String, arguments: [String], duration: Double = 0) {
        (self.name, self.program, self.arguments, self.duration) = (name, program, arguments, duration)
    }

    /// Runs it without a mutant, to learn what it reaches and how long it takes.
    ///
    /// - Throws: ``MutationError/failsWithout(_:)`` if it does not pass.
    mutating func measure(mutants: Int, scratch: String) throws {
        let path = "\(scratch)/coverage-\(UUID().uuidString)"
        try Data(count: mutants + 1).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let begin = ContinuousClock.now
        let execution = Execution(
            program: program,
            arguments: arguments,
            environment: ["CACHECHECK_MUTANT_COVERAGE": path],
            limit: 600
        )
        guard try execution.run() == .succeeded else { throw MutationError.failsWithout(name) }
        duration = (ContinuousClock.now - begin) / .seconds(1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        reached = Set(bytes.indices.filter { bytes[$0] != 0 })
    }

    /// Whether it notices the mutant: it fails, traps, or takes many times as long as without.
    func notices(_ mutant: Int) throws -> Bool {
        let execution = Execution(
            program: program,
            arguments: arguments,
            environment: ["CACHECHECK_MUTANT": String(mutant)],
            limit: 10 + 8 * duration
        )
        return try execution.run() != .succeeded
    }
}

enum MutationError: Error, CustomStringConvertible {
    case failsWithout(String)
    case noScenarios(String)
    case malformed(String)

    var description: String {
        switch self {
        case .failsWithout(let name): "\(name) fails without a mutant; expected it to pass"
        case .noScenarios(let folder): "no scenario file below \(folder)"
        case .malformed(let text): text
        }
    }
}
