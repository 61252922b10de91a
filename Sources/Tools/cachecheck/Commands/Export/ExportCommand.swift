import ArgumentParser
import BundledFiles

/// `cachecheck export`.
struct ExportCommand: ParsableCommand {
    /// The kinds of files that can be exported.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case scenarios, drivers, schemas, ci

        /// Paths in the program, by their names in the folder.
        var files: [(name: String, path: String)] {
            switch self {
            case .scenarios: BundledExport.files(below: "scenarios")
            case .drivers: BundledExport.files(below: "fixtures/drivers")
            case .ci: BundledExport.files(below: "ci/examples")
            case .schemas:
                [
                    ("scenario.schema.json", "scenarios/schema.json"),
                    ("site.schema.json", "fixtures/site.schema.json"),
                    ("driver.schema.json", "fixtures/drivers/protocol.schema.json"),
                    ("run-report.schema.json", "docs/run-report.schema.json"),
                    ("audit-report.schema.json", "docs/audit-report.schema.json"),
                ]
            }
        }
    }
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the scenarios, drivers, schemas or CI examples of this program to a folder.",
        discussion: """
            Commands use the folders scenarios and fixtures/drivers of the current folder instead of what is part \
            of the program. Examples: `cachecheck export scenarios scenarios`, `cachecheck export drivers fixtures/drivers`, \
            `cachecheck export ci ci/examples`.

            Exit status: 0, 64 usage, or 70 if a file exists already or cannot be written.
            """
    )

    @Argument(
        help: """
            scenarios (with their schema and guide), drivers (with the configurations of proxies), schemas (of \
            scenarios, site files, the driver protocol and JSON reports) or ci (examples for GitHub, GitLab and Jenkins).
            """
    )
    var kind: Kind

    @Argument(help: ArgumentHelp("The folder, which is created if necessary.", valueName: "DIR"))
    var folder: String

    @Flag(help: "Replace existing files.")
    var force = false

    func run() throws { try BundledExport(files: kind.files, folder: folder, replaces: force).write() }
}
