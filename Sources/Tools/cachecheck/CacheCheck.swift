import ArgumentParser
@preconcurrency import CLibrary

/// The `cachecheck` command.
@main
struct CacheCheck: AsyncParsableCommand {
    /// The version, which packaging scripts read from the program.
    static let version = "0.1.0"
    static let configuration = CommandConfiguration(
        commandName: "cachecheck",
        abstract: "Test HTTP caches, serve a mock origin, and explain why a response was served.",
        version: Versions.all.joined(separator: "\n"),
        subcommands: [
            Run.self, WhyCommand.self, Rules.self, Serve.self, Fetch.self, GatewayCommand.self,
            ProxyCommand.self,
            Network.self,
            ExplainCommand.self, AuditCommand.self, LabCommand.self,
            Record.self, HARCommand.self, DriverTools.self, MatrixCommand.self, MergeCommand.self,
            MutantsCommand.self, ExportCommand.self, ClientsCommand.self,
            DoctorCommand.self,
        ]
    )

    static func main() async {
        do {
            try requireText()
            let arguments = Array(CommandLine.arguments.dropFirst())
            // Without the descriptions of all commands, which the parser would look up first: 2 of 15 ms.
            guard arguments != ["--version"] else { return print(configuration.version) }
            try await run(try ProjectDefaults.arguments(arguments))
            try requireWrittenOutput()
        } catch {
            exit(withError: error)
        }
    }

    /// Throws if an argument is not UTF-8: the text read instead would be another file, URL or content.
    private static func requireText() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else {
                continue
            }
            let seen = String(cString: word)
            throw stop(
                "Argument \(index): found bytes that are not UTF-8 in \"\(seen)\", expected text",
                .validationFailure
            )
        }
    }

    /// Runs the command of these arguments.
    private static func run(_ arguments: [String]) async throws {
        var command = try parseAsRoot(arguments)
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // The parser would add the usage of the root command, which does not explain wrong values.
            throw stop("Error: \(error.message)", ExitCode.validationFailure)
        }
    }

    /// Throws if standard output could not be written, which `print` does not report.
    private static func requireWrittenOutput() throws {
        errno = 0
        // Only a failed write sets the indicator; for that of an earlier flush, the cause is no longer known.
        guard fflush(stdout) != 0 || ferror(stdout) != 0 else { return }
        // A thread that drives requests has blocked the signal.
        if errno == EPIPE { Process.endByBrokenPipe() }
        let cause = errno == 0 ? "" : ": \(String(cString: strerror(errno)))"
        throw stop("Standard output cannot be written\(cause)", ExitStatus.internalError)
    }
}

/// Exit statuses besides 0, 1 (an expectation failed) and 64 (usage error).
enum ExitStatus {
    /// A file that cannot be read or is invalid.
    static let badFile = ExitCode(65)
    /// A subject or a server could not be started.
    static let unavailable = ExitCode(69)
    /// Anything else.
    static let internalError = ExitCode(70)
}
