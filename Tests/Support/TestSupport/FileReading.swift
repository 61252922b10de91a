#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension String {
    /// Reads a file of UTF-8 text.
    package init(readingFile path: String) throws {
        self = try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Writes the text to a file.
    package func write(file path: String) throws {
        try write(toFile: path, atomically: true, encoding: .utf8)
    }
}

/// Returns the files below a folder that end in `suffix`, sorted, as paths below it.
package func files(below folder: String, suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }.sorted()
}

/// Calls `body` with a new folder, which is removed afterwards.
package func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let folder = try TestFolder(files)
    try withExtendedLifetime(folder) { try body(folder.path) }
}

/// Whether golden files are written instead of compared; never on CI.
package let isRecording: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return environment["RECORD"] == "1" && environment["CI"] == nil
}()

/// Reads a file as bytes.
package func bytes(ofFile path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}
