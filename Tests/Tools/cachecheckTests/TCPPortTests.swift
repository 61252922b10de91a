import TestSupport
import Testing

@Suite("--tcp, as a user gives it", .timeLimit(.minutes(20)), .blocking)
struct TCPPortTests {
    /// Addresses of this machine on which no test listens: at 127.0.0.1 and ::1 another may have the same port.
    private static let otherAddresses = ["127.0.0.4", "127.0.0.5"]

    @Test(
        "A port of --tcp listens on its own address, else on that of --listen, on no other, and passes bytes both ways",
        arguments: [
            (["--tcp", "0=ORIGIN"], "127.0.0.1"), (["--tcp", "localhost:0=ORIGIN"], "127.0.0.1"),
            (["--tcp", "127.0.0.2:0=ORIGIN"], "127.0.0.2"), (["--tcp", "[::1]:0=ORIGIN"], "::1"),
            (["--listen", "127.0.0.3", "--tcp", "0=ORIGIN"], "127.0.0.3"),
            (["--listen", "127.0.0.3", "--tcp", "127.0.0.2:0=ORIGIN"], "127.0.0.2"),
        ]
    )
    func listens(_ words: [String], _ address: String) throws {
        let origin = ScriptedServer { connection in
            if let text = connection.read(count: 3) { connection.send("\(text)\0\(text)") }
        }
        defer { origin.stop() }
        let own = words.map { $0.replacing("ORIGIN", with: "127.0.0.1:\(origin.port)") }
        let proxy = try Program().start(
            ["proxy"] + own,
            through: "Ctrl-C stops",
            address: address == "::1" ? "[::1]" : address
        )
        let client = try RawClient(address, port: proxy.port)
        try client.send([0x00, 0xFF, 0x0A])
        // The origin's text has U+FFFD for the byte that is not UTF-8.
        #expect(try client.readToEnd() == [0, 0xEF, 0xBF, 0xBD, 0x0A, 0, 0, 0xEF, 0xBF, 0xBD, 0x0A])
        for other in Self.otherAddresses {
            #expect(throws: RawClient.Failure.self) { _ = try RawClient(other, port: proxy.port) }
        }
        #expect(proxy.end() == 0)
    }

    @Test("An address of --tcp that this machine does not have is an error that names it")
    func notThere() throws {
        let outcome = try Program().run(["proxy", "--tcp", "192.0.2.1:0=127.0.0.1:9"])
        #expect(outcome.status == 69)
        #expect(outcome.text.contains("192.0.2.1"), "\(outcome.text)")
    }
}
