import ArgumentParser
import BundledFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `cachecheck export`.
struct ExportCommand: ParsableCommand {
    /// What can be exported.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case scenarios, drivers, schemas, ci

        /// Paths in the program, by their names in the folder.
        var files: [(name: String, path: String)] {
            switch self {
            case .scenarios: Self.files(below: "scenarios")
            case .drivers: Self.files(below: "fixtures/drivers")
            case .ci: Self.files(below: "ci/examples")
            case .schemas:
                [
                    ("scenario.schema.json", "scenarios/schema.json"),
                    ("site.schema.json", "fixtures/site.schema.json"),
                    ("driver.schema.json", "fixtures/drivers/protocol.schema.json"),
                ]
            }
        }

        private static func files(below folder: String) -> [(name: String, path: String)] {
            BundledFiles.archive.paths(below: folder).map { (String($0.dropFirst(folder.count + 1)), $0) }
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
            scenarios, site files and the driver protocol) or ci (examples for GitHub, GitLab and Jenkins).
            """
    )
    var kind: Kind

    @Argument(help: ArgumentHelp("The folder, which is created if necessary.", valueName: "DIR"))
    var folder: String

    @Flag(help: "Replace files that exist.")
    var force = false

    func run() throws {
        let files = kind.files
        try requireNew(files.map { path($0.name) })
        do throws(FileWritingError) {
            for file in files {
                try FileArchive.write(BundledFiles.archive.bytes(file.path) ?? [], to: path(file.name))
            }
        } catch {
            throw stop(error, ExitStatus.inside)
        }
        print("\(counted(files.count, "file")) written to \(folder)")
    }

    private func path(_ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private func requireNew(_ paths: [String]) throws {
        let existing = force ? [] : paths.filter { access($0, F_OK) == 0 }
        guard let first = existing.first else { return }
        let others =
            existing.count > 1 ? " and \(counted(existing.count - 1, "other file")) exist" : " exists"
        throw stop("\(first)\(others); nothing was written. --force replaces them.", ExitStatus.inside)
    }
}
