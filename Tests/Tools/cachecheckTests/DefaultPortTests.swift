import CLibrary
import Testing
import TestSupport

@Suite("The port of cachecheck serve", .timeLimit(.minutes(20)), .blocking)
struct DefaultPortTests {
    /// On a separate address, whose ports no other program uses.
    @Test("It listens on port 8090 and prints it", .checks("mockserver.port-8090"))
    func defaultPort() throws {
        let (process, output) = try Program().spawn(["serve", "--listen", "127.80.90.1"])
        defer {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !text.contains("Try:"), case let count = read(output, &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        #expect(text.contains("http://127.80.90.1:8090"))
    }

    @Test("Its help has the default port, as in the documents", .checks("mockserver.port-8090"))
    func help() throws {
        let help = try Program().run(["serve", "--help"]).text
        let option =
            help.split(separator: "--port <N>").dropFirst().first?.split(separator: " --").first ?? ""
        #expect(option.split(whereSeparator: \.isWhitespace).suffix(2) == ["(default:", "8090)"])
    }

    @Test("A chosen port is used, and 0 selects a free one", .checks("mockserver.port-8090"))
    func chosenPort() throws {
        let first = try Program().start(["serve", "--port", "0"])
        #expect(first.port > 0)
        #expect(first.end() == 0)
        let second = try Program().start(["serve", "--port", String(first.port)])
        #expect(second.port == first.port)
        #expect(second.end() == 0)
    }
}
