import CLibrary

/// A program that listens, until it is ended.
final class Server {
    let port: Int
    /// The output up to its greeting's end.
    let greeting: String
    private let process: pid_t

    /// Waits until the program has printed `end`, and reads the port after the first `address` before that.
    init(_ process: pid_t, output: Int32, through end: String = "Try:", address: String = "127.0.0.1") throws
    {
        self.process = process
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !text.contains(end), case let count = read(output, &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        let digits = text.split(separator: address + ":").dropFirst().first?.prefix { $0.isNumber } ?? ""
        guard let port = Int(digits) else { throw Program.Failure(what: "no port in \(text)") }
        (self.port, greeting) = (port, text)
    }

    deinit { kill(process, SIGKILL) }

    /// Terminates the program; returns its exit status, negative if a signal ended it.
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        kill(process, signal)
        var status: Int32 = 0
        for _ in 0..<2000 {
            if waitpid(process, &status, WNOHANG) == process { return Self.code(status) }
            poll(nil, 0, 10)
        }
        // Otherwise a wait for it would never end.
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        return Self.code(status)
    }

    private static func code(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}

extension Program {
    /// Starts it with a command that listens; `end` is in the last line of its greeting.
    func start(_ arguments: [String], through end: String = "Try:", address: String = "127.0.0.1") throws
        -> Server
    {
        let (process, output) = try spawn(arguments)
        return try Server(process, output: output, through: end, address: address)
    }

    /// Starts it; its standard output can be read from the returned descriptor.
    ///
    /// `command` is what a shell executes with the program and its arguments as `$@`; by default there is no shell.
    func spawn(_ arguments: [String], by command: String? = nil) throws -> (process: pid_t, output: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
        // Other programs that tests start meanwhile would keep the output open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let shell = command.map { ["/bin/sh", "-c", $0, "sh"] } ?? []
        let line: [String] = shell + [try Self.path()] + arguments
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, line[0], &actions, nil, &words, environ) == 0 else {
            throw Failure(what: "\(line[0]) does not run")
        }
        close(ends[1])
        return (process, ends[0])
    }
}
