import CLibrary
import TestSupport

/// A library that is preloaded into a program to end it, or to fail a call, at its Nth call that changes a folder.
final class Interposer {
    private let folder: TestFolder
    private let library: String

    /// Finds the library that `TORTURE_INTERPOSER` names.
    init() throws(Failure) {
        guard let path = getenv("TORTURE_INTERPOSER") else {
            throw Failure(text: "TORTURE_INTERPOSER is not set")
        }
        library = String(cString: path)
        folder = try makeScratchFolder()
    }

    /// Returns the environment of a program that uses a folder, with more settings.
    func environment(folder path: String, _ settings: [String: String]) -> [String: String] {
        let own = ["LD_PRELOAD": library, "TORTURE_FOLDER": path, "TORTURE_MARK": folder.path + "/mark"]
        return own.merging(settings) { _, new in new }
    }

    /// Whether the call was reached.
    var hasActed: Bool { !folder.names.isEmpty }
}

/// Creates a folder in memory, if the system supports that.
func makeScratchFolder() throws(Failure) -> TestFolder {
    do {
        return try TestFolder(inMemory: true)
    } catch {
        throw Failure(text: "cannot make a folder: \(error)")
    }
}
