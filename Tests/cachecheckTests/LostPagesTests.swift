import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Files of a cache folder that are cut off under a running gateway", .timeLimit(.minutes(5)))
struct LostPagesTests {
    @Test(
        "The gateway goes on answering, and ends as it should",
        arguments: ["generation", "entries.sqlite-shm", "entries.sqlite-wal", "entries.sqlite"]
    )
    func cutOff(name: String) throws {
        let program = try Program()
        let cache = program.folder.path + "/cache"
        let origin = try program.start(["serve", "--port", "0"])
        let gateway = try program.start([
            "gateway", "--origin", "http://127.0.0.1:\(origin.port)", "--port", "0", "--cache-dir", cache,
        ])
        for round in 0..<30 {
            for path in ["/get?cache-control=max-age%3D60", "/get?cache-control=max-age%3D60&n=\(round)"] {
                let client = try RawClient(port: gateway.port)
                try client.request("GET", path)
                #expect(try client.response().status == 200)
            }
            // It is missing while the database is begun anew.
            #expect(truncate(cache + "/" + name, 0) == 0 || errno == ENOENT)
        }
        #expect(gateway.end() == 0)
        #expect(origin.end() == 0)
    }
}

/// A program that listens, until it is ended.
private final class Server {
    let port: UInt16
    private let process: pid_t

    fileprivate init(_ process: pid_t, output: Int32) throws {
        self.process = process
        var text = ""
        var byte: UInt8 = 0
        while !text.hasSuffix("Try:"), read(output, &byte, 1) == 1 {
            text.append(Character(UnicodeScalar(byte)))
        }
        let digits = text.split(separator: "127.0.0.1:").dropFirst().first?.prefix { $0.isNumber } ?? ""
        guard let port = UInt16(digits) else { throw Program.Failure(what: "no port in \(text)") }
        self.port = port
    }

    deinit { kill(process, SIGKILL) }

    /// Ends the program; returns its exit status, negative where a signal has ended it.
    func end() -> Int32 {
        kill(process, SIGTERM)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}

extension Program {
    fileprivate func start(_ arguments: [String]) throws -> Server {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let command: [String] = [try Self.path()] + arguments
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, command[0], &actions, nil, &words, environ) == 0 else {
            throw Failure(what: "\(command[0]) does not run")
        }
        close(ends[1])
        return try Server(process, output: ends[0])
    }
}
