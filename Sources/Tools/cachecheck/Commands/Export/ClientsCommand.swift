import ArgumentParser
import BundledFiles

/// `cachecheck clients`.
struct ClientsCommand: ParsableCommand {
    /// A language for which there is a client library.
    enum Language: String, ExpressibleByArgument, CaseIterable {
        case python, javascript

        /// Paths in the program, by their names in the folder.
        var files: [(name: String, path: String)] { BundledExport.files(below: "clients/\(rawValue)") }
    }
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract:
            "Write the client libraries, which start serve, proxy and gateway and control them, to a folder.",
        discussion: """
            python: cachecheck.py, and cachecheck_pytest.py with fixtures for pytest; for Python 3.8 or later. javascript: \
            cachecheck.mjs, for Node 18 or later. Neither needs anything but the program. Swift tests use the product \
            MockOriginTesting.

            Exit status: 0, 64 usage, or 70 if a file exists already or cannot be written.
            """
    )

    @Argument(help: "python or javascript. Default: both.")
    var languages: [Language] = Language.allCases

    @Option(help: ArgumentHelp("The folder, which is created if necessary.", valueName: "DIR"))
    var out: String

    @Flag(help: "Replace existing files.")
    var force = false

    func run() throws {
        let files = Language.allCases.filter(languages.contains).flatMap(\.files)
        try BundledExport(files: files, folder: out, replaces: force).write()
    }
}
