import CLibrary
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
}
