import CLibrary
import TestSupport
import Testing

@Suite("Connections of scripted servers, and child processes of other tests", .blocking)
struct ChildProcessTests {
    /// Starts a process that lasts longer than the test; to be killed.
    private func child() throws -> pid_t {
        var process = pid_t()
        let command: [String] = ["/bin/sleep", "600"]
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        try #require(posix_spawn(&process, "/bin/sleep", nil, nil, &words, environ) == 0)
        return process
    }

    @Test("A process that is started while a connection is open does not keep it open")
    func ends() throws {
        let gate = Gate()
        let server = ScriptedServer { connection in
            connection.send("x")
            gate.wait()
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        #expect(try client.read(count: 1) == [0x78])
        let process = try child()
        defer {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        gate.open()
        #expect(try client.isAtEnd())
    }
}
