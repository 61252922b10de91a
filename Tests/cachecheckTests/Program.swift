#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import FoundationEssentials

/// The built program, run as a user runs it.
struct Program {
    /// What a run came to.
    struct Outcome {
        var status: Int32
        /// What it wrote, to both its outputs.
        var text: String
    }
    /// A run that could not be made.
    struct Failure: Error {
        var what: String
    }
    /// A folder of its own, in which it runs.
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Beside the tests' own program.
    private static func path() throws -> String {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0 else { throw Failure(what: "the tests' program is not known") }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex) + "/cachecheck"
    }

    /// Runs it to its end.
    func run(_ arguments: [String]) throws -> Outcome {
        let output = folder.path + "/output"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, try Self.path()]
        var words: [UnsafeMutablePointer<CChar>?] = (shell + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, shell[0], &actions, nil, &words, environ) == 0 else {
            throw Failure(what: "\(shell[0]) does not run")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
        return Outcome(status: code, text: folder.text("output") ?? "")
    }
}

/// A folder of one test, removed at its end.
final class TestFolder {
    let path: String

    init() throws {
        path = "/tmp/cachecheck-test-" + String(UInt64.random(in: .min ... .max), radix: 36)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch {}
    }

    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: "\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }

    func write(_ text: String, to name: String) {
        _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(text.utf8))
    }

    func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }
}
