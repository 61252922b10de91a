import CLibrary
import FileReading

/// A file or folder that could not be written.
public struct FileWritingError: Error, CustomStringConvertible {
    /// One sentence with the path and the reason.
    public let description: String

    fileprivate static func failed(_ path: String) -> FileWritingError {
        FileWritingError(description: "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}

extension FileArchive {
    /// Writes the files below a folder of the archive to a folder on disk, which is created; returns their number.
    ///
    /// Files of the same names are replaced.
    @discardableResult
    public func write(below folder: String, to target: String) throws(FileWritingError) -> Int {
        let paths = paths(below: folder)
        for path in paths {
            try Self.write(bytes(path) ?? [], to: "\(target)/\(path.dropFirst(folder.count + 1))")
        }
        return paths.count
    }

    /// Writes one file, and creates the folders above it.
    public static func write(_ bytes: [UInt8], to path: String) throws(FileWritingError) {
        if let folder = FileAccess.makeFolders(FileAccess.folder(of: path)) { throw .failed(folder) }
        guard let file = fopen(path, "we") else { throw .failed(path) }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten else { throw .failed(path) }
    }
}
