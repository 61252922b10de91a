import CLibrary
import FileReading

/// Programs and the files that the package contains for them.
enum ProgramFiles {
    /// Returns the path of a program on the search path or in the usual folders of servers; `nil` if there is none.
    static func find(_ name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders =
            path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/usr/bin"]
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Returns the text of a file; `nil` if it cannot be read.
    static func text(_ path: String) -> String? {
        guard case .success(let bytes) = FileAccess.content(ofFile: path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the output of a command; `nil` if it cannot be run.
    static func output(of command: String) -> String? {
        guard let file = popen(command, "re") else { return nil }
        defer { pclose(file) }
        return text(of: file)
    }

    /// Writes a file.
    static func write(_ text: String, to path: String) throws(SubjectError) {
        let bytes = Array(text.utf8)
        guard let file = fopen(path, "we") else { throw SubjectError("\(path) cannot be written") }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten else { throw SubjectError("\(path) cannot be written") }
    }

    /// Whether a file exists and can be read.
    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Renames a file, replacing any that has the new name.
    static func rename(_ path: String, to other: String) throws(SubjectError) {
        if renameFile(path, other) != 0 { throw SubjectError("\(other) cannot be written") }
    }

    private static func text(of file: UnsafeMutablePointer<FILE>) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
            bytes += buffer[..<count]
        }
    }

    /// The path of this program.
    static var executable: String { absolute("/proc/self/exe") }

    /// Returns the absolute path without links.
    static func absolute(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

/// Calls `rename` of the C library, whose name is hidden by a method's.
private func renameFile(_ path: String, _ other: String) -> Int32 { rename(path, other) }
