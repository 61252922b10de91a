import CLibrary
import FileReading
import Testing
import TestSupport

@Suite("Servers that are terminated", .timeLimit(.minutes(20)), .blocking)
struct EndTests {
    @Test(
        "A server that is terminated as soon as it reports that it listens ends",
        arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func end(signal: Int32) throws {
        let program = try Program()
        for _ in 0..<40 {
            let origin = try program.start(["serve", "--port", "0"])
            #expect(origin.end(signal) == 0)
        }
    }

    @Test("Without free descriptors, an existing file is not reported as missing, and the server ends")
    func noDescriptors() throws {
        let program = try Program()
        try program.folder.write("page.txt", "hi")
        let limit = 200
        let (process, output) = try program.spawn(
            ["serve", program.folder.path, "--port", "0"],
            by: "ulimit -n \(limit); exec \"$@\""
        )
        let server = try Server(process, output: output)
        // A connection is known to be accepted once it has a response: a later one could be accepted before it.
        let accepted = try RawClient(port: server.port)
        try accepted.request("GET", "/missing")
        #expect(try accepted.response().status == 404)
        let others = try (0..<limit).map { _ in try RawClient(port: server.port) }
        while !Task.isCancelled, try open(process, below: limit) < limit {}
        try accepted.request("GET", "/page.txt")
        #expect(try accepted.response().status == 500)
        others.forEach { $0.close() }
        #expect(server.end() == 0)
    }

    /// Counts a process's descriptors below a limit: those that it inherited from the tests may be above it.
    private func open(_ process: pid_t, below limit: Int) throws -> Int {
        let names = try #require(FileAccess.names(inFolder: "/proc/\(process)/fd"))
        return names.compactMap { Int($0) }.count { $0 < limit }
    }
}
