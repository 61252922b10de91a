import ArgumentParser
import CacheSemantics
import Conformance

/// Drivers: the programs that put a cache behind standard input and output.
struct DriverTools: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "driver",
        abstract: "Check a driver, serve the driver protocol, or list the drivers that come along.",
        discussion: "fixtures/drivers/README.md tells the protocol.",
        subcommands: [CheckDriver.self, ServeDriver.self, ListDrivers.self]
    )
}

/// Validates a driver step by step.
struct CheckDriver: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Put a driver through the protocol, step by step.",
        discussion: "Exit status: 0 all is right, 1 something is not, 69 the origin could not be started."
    )

    @Argument(help: "The driver's command, or the name of one that comes along.")
    var command: String

    func run() throws {
        do throws(SubjectError) {
            let isShipped = ShippedDrivers.names.contains(command)
            let parts = isShipped ? try ShippedDrivers.command(command) : ShippedDrivers.shell(command)
            try check(parts)
        } catch {
            throw stop(error, Failure.unavailable)
        }
    }

    private func check(_ command: [String]) throws(SubjectError) {
        let isRight: Bool
        do throws(RunnerError) {
            isRight = try DriverCheck(command).run { step in
                let mark = step.problem != nil ? "WRONG" : step.skipped != nil ? "-    " : "ok   "
                print("\(mark) \(step.title)" + (step.problem ?? step.skipped).map { ": \($0)" }.orEmpty)
            }
        } catch {
            throw SubjectError(error.description)
        }
        if !isRight { Self.exit(withError: ExitCode(1)) }
    }
}

extension String? {
    fileprivate var orEmpty: String { self ?? "" }
}

/// Serves the driver protocol for our own client.
struct ServeDriver: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Be the driver of our own client, on standard input and output."
    )

    @Option(help: "The kind of cache: private or shared.")
    var cache = CacheKind.private

    func run() throws {
        do throws(SubjectError) {
            let driver = try OwnDriver(kind: cache, version: CacheCheck.version) { line in
                writeLine(line)
            }
            while let line = readLine() { driver.take(line) }
        } catch {
            throw stop(error, Failure.unavailable)
        }
    }
}

/// Lists the drivers that come along.
struct ListDrivers: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the drivers that come along."
    )

    func run() {
        for name in ShippedDrivers.names { print(name) }
    }
}
