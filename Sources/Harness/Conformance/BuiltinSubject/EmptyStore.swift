import CacheStorage
import CLibrary
import Clocks

/// The files of an empty store, created once for a run.
///
/// Each scenario starts with copies of them, like a client that was started before: creating a database takes several
/// times as long as opening one, and a run has more than a thousand scenarios.
struct EmptyStore: Sendable {
    private struct File {
        let path: String
        let bytes: [UInt8]
    }
    private let files: [File]

    /// Creates a store in a separate folder and reads the files that it leaves.
    init() throws(SubjectError) {
        do throws(HarnessProblem) {
            let folder = try ScratchFolder()
            try Self.makeStore(in: folder)
            var files: [File] = []
            for path in folder.files {
                files.append(
                    File(path: String(path.dropFirst(folder.path.count)), bytes: try Self.read(path))
                )
            }
            self.files = files
        } catch {
            throw SubjectError(error.description)
        }
    }

    /// Writes the files into a new folder.
    func copy(to folder: ScratchFolder) throws(SubjectError) {
        for file in files {
            let path = folder.path + file.path
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw SubjectError(Self.problem(path)) }
            defer { close(descriptor) }
            guard write(descriptor, file.bytes, file.bytes.count) == file.bytes.count else {
                throw SubjectError(Self.problem(path))
            }
        }
    }

    private static func makeStore(in folder: ScratchFolder) throws(HarnessProblem) {
        var configuration = CacheStore.Configuration()
        configuration.directory = folder.path
        do throws(StorageError) {
            try CacheStore(configuration, clock: VirtualClock(wallSeconds: 0)).close()
        } catch {
            throw HarnessProblem("an empty store cannot be created: \(error)")
        }
    }

    private static func read(_ path: String) throws(HarnessProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HarnessProblem(problem(path)) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(descriptor, 0, SEEK_END))))
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count else {
            throw HarnessProblem(problem(path))
        }
        return bytes
    }

    private static func problem(_ path: String) -> String {
        "\(path) cannot be copied: \(String(cString: strerror(errno)))"
    }
}
