import CLibrary
import TestSupport

/// The built program, run like a user would.
struct Program {
    /// The result of a run.
    struct Outcome {
        var status: Int32
        /// Its output, to both streams.
        var text: String
    }
    /// The program could not be run.
    struct Failure: Error {
        var what: String
    }
    /// The folder in which it runs.
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Returns its path, next to the tests' own program.
    static func path() throws -> String {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0 else { throw Failure(what: "the tests' program is not known") }
        let path = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex) + "/cachecheck"
    }

    /// Runs it to its end, with `input` as its standard input; `text` lacks what goes to `standardOutput`, a file, if
    /// that is given.
    ///
    /// `command` is what a shell executes with the program and its arguments as `$@`.
    func run(
        _ arguments: [String],
        input: String = "",
        standardOutput: String? = nil,
        by command: String = "exec \"$@\""
    ) throws
        -> Outcome
    {
        let output = folder.path + "/output"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        try folder.write("input", input)
        posix_spawn_file_actions_addopen(&actions, 0, folder.path + "/input", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        if let standardOutput { posix_spawn_file_actions_addopen(&actions, 1, standardOutput, O_WRONLY, 0) }
        let shell = ["/bin/sh", "-c", "cd \"$0\" && \(command)", folder.path, try Self.path()]
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
