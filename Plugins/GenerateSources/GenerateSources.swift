import Foundation
import PackagePlugin

/// Generates a source file for a target: files that are part of the program, or the commit that it is built from.
@main
struct GenerateSources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let generator = Generator(
            tool: try context.tool(named: "SourceGenerator").url,
            root: context.package.directoryURL,
            output: context.pluginWorkDirectoryURL
        )
        if target.name == "BundledFiles" { return [try generator.packFiles()] }
        if let files = Generator.embedded[target.name] {
            return [generator.embed(files.map { target.directoryURL.appending(path: $0) })]
        }
        return [generator.recordCommit()]
    }
}

private struct Generator {
    /// What is packed: folders with all files below them, and single files.
    static let packed = [
        "ci/examples", "clients/javascript", "clients/python", "docs/audit-report.schema.json",
        "docs/run-report.schema.json", "fixtures/drivers", "fixtures/site.schema.json", "scenarios",
    ]
    /// The files that become string constants of their target, which excludes them as sources.
    static let embedded = [
        "CacheGateway": ["Page/gateway.html", "Page/gateway.css", "Page/gateway.js"],
        "Conformance": ["Reports/HTML/data.js", "Reports/HTML/report.js", "Reports/HTML/matrix.js"],
        "ControlServing": ["Page/base.css", "Page/base.js"],
        "DocumentRules": ["document-rules.yaml"],
        "Lab": ["Page/lab.html", "Page/lab.css", "Page/lab.js", "Page/lessons.yaml"],
        "MockOrigin": ["Page/page.html", "Page/page.css", "Page/page.js"],
        "ReportFormats": ["report.css"],
    ]
    let tool: URL
    let root: URL
    let output: URL

    func packFiles() throws -> Command {
        let paths = try Self.packed.flatMap(files).sorted()
        let generated = output.appending(path: "PackedFiles.swift")
        return .buildCommand(
            displayName: "Packing scenarios and drivers",
            executable: tool,
            arguments: ["files", generated.path, root.path] + paths,
            inputFiles: paths.map { root.appending(path: $0) },
            outputFiles: [generated]
        )
    }

    /// The paths of a file, or of the files below a folder, relative to the root.
    private func files(_ path: String) throws -> [String] {
        let url = root.appending(path: path)
        if try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory != true { return [path] }
        return try FileManager.default.subpathsOfDirectory(atPath: url.path)
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__pycache__" } }
            .map { "\(path)/\($0)" }
            .filter {
                try root.appending(path: $0).resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
                    == true
            }
    }

    /// Makes strings of text files: SwiftPM's own embedding makes array literals, whose compilation takes minutes.
    func embed(_ files: [URL]) -> Command {
        let generated = output.appending(path: "EmbeddedFiles.swift")
        return .buildCommand(
            displayName: "Embedding \(files.map(\.lastPathComponent).joined(separator: ", "))",
            executable: tool,
            arguments: ["texts", generated.path] + files.map(\.path),
            inputFiles: files,
            outputFiles: [generated]
        )
    }

    func recordCommit() -> Command {
        let generated = output.appending(path: "BuiltCommit.swift")
        return .buildCommand(
            displayName: "Recording the commit",
            executable: tool,
            arguments: ["commit", generated.path, commit ?? "unknown"],
            outputFiles: [generated]
        )
    }

    /// The commit of the package, with a mark if files differ from it; `nil` without git or a repository of its own.
    private var commit: String? {
        guard FileManager.default.fileExists(atPath: root.appending(path: ".git").path) else { return nil }
        let git = Process()
        let text = Pipe()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = [
            "git", "--no-optional-locks", "-C", root.path,
            "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=-modified",
        ]
        git.standardOutput = text
        git.standardError = FileHandle.nullDevice
        guard (try? git.run()) != nil else { return nil }
        let bytes = text.fileHandleForReading.readDataToEndOfFile()
        git.waitUntilExit()
        guard git.terminationStatus == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
