import Foundation

/// The unit tests for a target's mutants: the suites, with what each reaches.
struct TestSuites: Sendable {
    struct Suite: Sendable {
        /// `Target.Suite`.
        let name: String
        /// In seconds, without a mutant.
        let duration: Double
        let reached: Set<Int>
    }

    private let program: String
    private(set) var suites: [Suite] = []
    /// The names of the suites that fail without a mutant, twice; they are not used.
    private(set) var failing: [String] = []

    /// No tests.
    init() { program = "" }

    /// Runs every suite of these test targets by itself, without a mutant.
    init(measuring targets: [String], of program: String, mutants: Int, scratch: String) throws {
        self.program = program
        let names = try Self.names(in: program)
        for target in targets {
            for name in names where name.hasPrefix(target + ".") {
                let measured = { try Self.measure(name, program, mutants, scratch) }
                if let suite = try measured() ?? measured() {
                    suites.append(suite)
                } else {
                    failing.append(name)
                }
            }
        }
        suites.sort { $0.duration < $1.duration }
    }

    /// Runs a suite by itself, without a mutant; returns `nil` if it does not pass.
    private static func measure(_ name: String, _ program: String, _ mutants: Int, _ scratch: String) throws
        -> Suite?
    {
        let path = "\(scratch)/coverage-\(UUID().uuidString)"
        try Data(count: mutants + 1).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let begin = ContinuousClock.now
        let execution = Execution(
            program: program,
            arguments: arguments([name]),
            environment: ["CACHECHECK_MUTANT_COVERAGE": path],
            limit: 900
        )
        guard try execution.run() == .succeeded else { return nil }
        let duration = (ContinuousClock.now - begin) / .seconds(1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        return Suite(
            name: name,
            duration: duration,
            reached: Set(bytes.indices.filter { bytes[$0] != 0 })
        )
    }

    /// Returns the first suites that notice a mutant: twice they fail, trap, or take many times as long as usual, but not without
    /// the mutant in between, as they could on a busy machine.
    func noticing(_ mutant: Mutant) throws -> String? {
        let reaching = suites.filter { $0.reached.contains(mutant.id) }
        for batch in batches(of: reaching) {
            if let names = try noticing(mutant, batch) { return names }
        }
        return nil
    }

    /// Returns the names of suites that notice a mutant; those that fail without it, too, are tried one by one.
    private func noticing(_ mutant: Mutant, _ batch: [Suite]) throws -> String? {
        guard try fail(batch, mutant) else { return nil }
        if try !fail(batch, nil) {
            return try fail(batch, mutant) ? batch.map(\.name).joined(separator: ", ") : nil
        }
        guard batch.count > 1 else { return nil }
        for suite in batch {
            if let name = try noticing(mutant, [suite]) { return name }
        }
        return nil
    }

    /// Quick suites together, slow ones each by itself.
    private func batches(of suites: [Suite]) -> [[Suite]] {
        let quick = suites.filter { $0.duration < 2 }
        let slow = suites.filter { $0.duration >= 2 }.map { [$0] }
        return quick.isEmpty ? slow : [quick] + slow
    }

    private func fail(_ batch: [Suite], _ mutant: Mutant?) throws -> Bool {
        let execution = Execution(
            program: program,
            arguments: Self.arguments(batch.map(\.name)),
            environment: ["CACHECHECK_MUTANT": String(mutant?.id ?? 0)],
            limit: 60 + 10 * batch.map(\.duration).reduce(0, +)
        )
        return try execution.run() != .succeeded
    }

    private static func arguments(_ names: [String]) -> [String] {
        ["--testing-library", "swift-testing"]
            + names.flatMap { ["--filter", "^\($0.replacing(".", with: "\\."))/"] }
    }

    private static func names(in program: String) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["--testing-library", "swift-testing", "--list-tests"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let names = text.split(separator: "\n").map { $0.prefix { $0 != "/" } }
        return Set(names.map(String.init)).sorted()
    }
}
