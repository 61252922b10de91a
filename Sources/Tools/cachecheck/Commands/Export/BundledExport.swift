import ArgumentParser
import BundledFiles
import CLibrary
import ReportFormats

/// Files of the program that a command writes to a folder: all of them or, if one exists already, none.
struct BundledExport {
    /// Paths in the program, by their names in the folder.
    let files: [(name: String, path: String)]
    /// The folder, which is created if necessary.
    let folder: String
    /// Whether files that exist are replaced.
    let replaces: Bool

    /// Returns the files below a folder of the program, with their names there.
    static func files(below folder: String) -> [(name: String, path: String)] {
        BundledFiles.archive.paths(below: folder).map { (String($0.dropFirst(folder.count + 1)), $0) }
    }

    /// Writes the files and prints their number.
    func write() throws {
        try requireNew(files.map { path($0.name) })
        try orStop(ExitStatus.internalError) {
            for file in files {
                try FileArchive.write(BundledFiles.archive.bytes(file.path) ?? [], to: path(file.name))
            }
        }
        print("\(counted(files.count, "file")) written to \(folder)")
    }

    private func path(_ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    private func requireNew(_ paths: [String]) throws {
        let existing = replaces ? [] : paths.filter { access($0, F_OK) == 0 }
        guard let first = existing.first else { return }
        let others =
            existing.count > 1 ? " and \(counted(existing.count - 1, "other file")) exist" : " exists"
        throw stop("\(first)\(others); nothing was written. --force replaces them.", ExitStatus.internalError)
    }
}
