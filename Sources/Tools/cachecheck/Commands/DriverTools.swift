import ArgumentParser
import CacheSemantics
import Conformance

/// `cachecheck driver`.
struct DriverTools: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "driver",
        abstract: "Check a driver, serve the driver protocol, or list the bundled drivers.",
        discussion: "fixtures/drivers/README.md describes the protocol.",
        subcommands: [CheckDriver.self, ServeDriver.self, ListDrivers.self]
    )
}

/// `cachecheck driver check`.
struct CheckDriver: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that a driver implements the protocol.",
        discussion:
            "Exit status: 0 if every check passed, 1 if one failed, 69 if the origin could not be started."
    )

    @Argument(help: "Driver command, or the name of a bundled driver.")
    var command: String

    func run() throws {
        try orStop(ExitStatus.unavailable) {
            let isBundled = BundledDrivers.names.contains(command)
            let parts = isBundled ? try BundledDrivers.command(command) : BundledDrivers.shell(command)
            // Nothing else is printed until it has answered, and some install what they need first.
            printError("starting the driver; it has 300 s to respond …")
            try check(parts)
        }
    }

    private func check(_ command: [String]) throws(SubjectError) {
        let isRight: Bool
        do throws(RunnerError) {
            isRight = try DriverCheck(command).run { print(Self.line($0)) }
        } catch {
            throw SubjectError(error.description)
        }
        if !isRight { Self.exit(withError: ExitCode(1)) }
    }

    private static func line(_ step: DriverCheck.Step) -> String {
        if let problem = step.problem { return "WRONG \(step.title): \(problem)" }
        if let reason = step.skipped { return "-     \(step.title): \(reason)" }
        if let note = step.note { return "note  \(step.title): \(note)" }
        return "ok    \(step.title)"
    }
}

/// `cachecheck driver serve`.
struct ServeDriver: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the driver protocol for the built-in client, on standard input and output.",
        discussion: "Exit status: 0 at the end of the input, 64 usage, 69 the client could not start."
    )

    @Option(help: "Kind of cache: private or shared.")
    var cache = CacheKind.private

    func run() throws {
        try orStop(ExitStatus.unavailable) {
            let driver = try BuiltinDriver(kind: cache, version: CacheCheck.version) { line in
                writeLine(line)
            }
            while let line = readLine() { driver.take(line) }
            // A driver exits within 5 s of the end of its input.
            driver.finish(within: .milliseconds(4500))
        }
    }
}

/// `cachecheck driver list`.
struct ListDrivers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the bundled drivers.",
        discussion: "Exit status: 0, or 64 usage."
    )

    func run() {
        for name in BundledDrivers.names { print(name) }
    }
}
