import ArgumentParser
import LocatedYAML
import Recording
import ReportFormats

/// `cachecheck har`.
struct HARCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Convert HTTP archives (HAR 1.2) to sites.",
        subcommands: [Import.self]
    )

    /// `cachecheck har import`.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Convert an archive to a site that \"cachecheck serve\" replays.",
            discussion: "Exit status: 0, 64 usage, 65 a bad archive, 70 the site could not be written."
        )

        @Argument(help: ArgumentHelp("The archive.", valueName: "FILE.har"))
        var file: String

        @Option(help: ArgumentHelp("Output folder: a new one, or one without a site.", valueName: "DIR"))
        var out: String

        @OptionGroup(title: "Redaction")
        var redaction: RedactionOptions

        func run() throws {
            let text = try requiredText(file)
            let exchanges = try orStop(ExitStatus.badFile) {
                try HARFile.exchanges(text, file: file) { reason in
                    printError("cachecheck har: left out: \(reason)")
                }
            }
            try write(exchanges)
        }

        private func write(_ exchanges: [CapturedExchange]) throws {
            // Routes match the host only if the archive has several.
            let isOfAnyHost = Set(exchanges.map(\.origin)).count > 1
            let redaction = redaction.redaction
            try orStop(ExitStatus.internalError) {
                let writer = try FixtureWriter(folder: out, redaction: redaction, isOfAnyHost: isOfAnyHost)
                for exchange in exchanges {
                    if let obstacle = redaction.obstacle(in: exchange) {
                        printError("cachecheck har: left out: \(exchange.requestText): \(obstacle)")
                    } else {
                        try writer.add(exchange)
                    }
                }
                let resources = counted(writer.resourceCount, "resource")
                print("\(counted(writer.count, "exchange")) with \(resources) in \(out). Replay them:")
                print("  cachecheck serve \(out)")
            }
        }
    }
}
