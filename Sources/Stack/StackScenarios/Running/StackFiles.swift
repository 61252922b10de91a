import CLibrary
import Conformance
import FileReading
import Scenarios

/// Reads and modifies the files of a scenario's stack.
enum StackFiles {
    /// Performs a step's action on the files of a folder, then checks the files.
    static func perform(_ step: FilesStep, in folder: String, _ context: ExpectationContext)
        throws(SubjectError)
        -> [Mismatch]
    {
        for name in names(in: folder, step) { try perform(step.action, on: folder + "/" + name) }
        let files = names(in: folder, step).map { (name: $0, bytes: read(folder + "/" + $0) ?? []) }
        return step.check(files, context: context)
    }

    /// Returns the content of a file; `nil` if it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        if case .success(let bytes) = FileAccess.content(ofFile: path) { bytes } else { nil }
    }

    /// Writes a file; creates its parent folders.
    static func write(_ bytes: [UInt8], to path: String) throws(SubjectError) {
        FileAccess.makeFolders(FileAccess.folder(of: path), mode: 0o700)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw problem(path) }
        defer { close(descriptor) }
        guard FileAccess.put(bytes[...], descriptor) else { throw problem(path) }
    }

    private static func perform(_ action: FilesStep.Action?, on path: String) throws(SubjectError) {
        switch action {
        case nil: return
        case .remove: guard unlink(path) == 0 else { throw problem(path) }
        case .truncate(let length):
            guard CLibrary.truncate(path, off_t(length)) == 0 else { throw problem(path) }
        case .damage(let place):
            guard var bytes = read(path), bytes.indices.contains(place) else {
                throw SubjectError("\(path) has no byte \(place).")
            }
            bytes[place] ^= 0xFF
            try write(bytes, to: path)
        }
    }

    /// Returns the sorted paths of the plain files in a folder and its subfolders, without hidden ones.
    private static func names(in folder: String, _ step: FilesStep, below prefix: String = "") -> [String] {
        var names: [String] = []
        for name in FileAccess.names(inFolder: folder + "/" + prefix) ?? [] where !name.hasPrefix(".") {
            let path = prefix + name
            if FileAccess.names(inFolder: folder + "/" + path) != nil {
                names += self.names(in: folder, step, below: path + "/")
            } else if name.hasSuffix(step.suffix) {
                names.append(path)
            }
        }
        return names.sorted()
    }

    private static func problem(_ path: String) -> SubjectError {
        SubjectError("\(path): \(String(cString: strerror(errno)))")
    }
}
