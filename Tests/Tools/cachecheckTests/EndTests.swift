import CLibrary
import FileReading
import Testing
import TestSupport

@Suite("Servers that are terminated", .timeLimit(.minutes(5)), .blocking)
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
        let (process, output) = try program.spawn(
            ["serve", program.folder.path, "--port", "0"],
            by: "ulimit -n 60; exec \"$@\""
        )
        let server = try Server(process, output: output)
        let clients = try (0..<60).map { _ in try RawClient(port: server.port) }
        let descriptors = "/proc/\(process)/fd"
        while let open = FileAccess.names(inFolder: descriptors), open.count < 60, !Task.isCancelled {}
        try clients[0].request("GET", "/page.txt")
        #expect(try clients[0].response().status == 500)
        #expect(server.end() == 0)
    }
}
