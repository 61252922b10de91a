import BundledFiles
import CLibrary
import FileReading

/// The files of drivers and the configurations of proxies: those of `fixtures/drivers` in the current folder, otherwise
/// the bundled ones.
enum DriverFiles {
    private static let bundled = "fixtures/drivers"

    /// `fixtures/drivers` of the current folder; `nil` if there is none.
    private static var local: String? {
        ProgramFiles.isReadable("\(bundled)/README.md") ? ProgramFiles.absolute(bundled) : nil
    }

    /// The names of the files, in unspecified order.
    static var names: [String] {
        if let local { return FileAccess.names(inFolder: local) ?? [] }
        return BundledFiles.archive.paths(below: bundled).map { String($0.dropFirst(bundled.count + 1)) }
    }

    /// Returns the text of a file.
    static func text(_ name: String) throws(SubjectError) -> String {
        guard let local else {
            if let text = BundledFiles.archive.text("\(bundled)/\(name)") { return text }
            throw SubjectError("there is no file \(name) for a proxy in the program")
        }
        if let text = ProgramFiles.text("\(local)/\(name)") { return text }
        throw SubjectError("\(local)/\(name) cannot be read")
    }

    /// Returns a folder on disk that has the files, for interpreters and compilers.
    static func folder() throws(SubjectError) -> String {
        if let local { return local }
        // What scripts install goes to build/drivers next to fixtures.
        let root = "\(try cacheFolder())/cachecheck/\(BundledFiles.checksum)"
        if !ProgramFiles.isReadable("\(root)/\(bundled)/README.md") { try unpack(to: root) }
        return "\(root)/\(bundled)"
    }

    private static func cacheFolder() throws(SubjectError) -> String {
        func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let folder = value("XDG_CACHE_HOME") ?? value("HOME").map({ "\($0)/.cache" }) { return folder }
        throw SubjectError(
            "drivers are unpacked below $XDG_CACHE_HOME or $HOME/.cache; neither is an absolute path"
        )
    }

    /// Unpacks to a temporary folder and renames it, so that no process sees an incomplete one.
    private static func unpack(to root: String) throws(SubjectError) {
        let draft = "\(root).\(getpid())"
        do throws(FileWritingError) {
            try BundledFiles.archive.write(below: bundled, to: "\(draft)/\(bundled)")
        } catch {
            throw SubjectError("\(error); set XDG_CACHE_HOME to a folder that can be written")
        }
        // Another process may have been faster; its files are the same.
        do throws(SubjectError) {
            try ProgramFiles.rename(draft, to: root)
        } catch {
            ScratchFolder.remove(draft)
            if !ProgramFiles.isReadable("\(root)/\(bundled)/README.md") { throw error }
        }
    }
}
