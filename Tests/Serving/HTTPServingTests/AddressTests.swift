import Testing

@testable import HTTPServing

@Suite("Addresses and targets")
struct AddressTests {
    @Test("A numeric address keeps host and port", arguments: ["127.0.0.1", "0.0.0.0", "::1", "2001:db8::7"])
    func numeric(text: String) throws {
        let address = try SocketAddress(text, port: 8090)
        #expect(address.numericHost == text)
        #expect(address.port == 8090)
    }

    @Test(
        "Anything but a numeric address is refused",
        arguments: [
            "", "localhost", "127.0.0.256", "1.2.3", "[::1]", "127.0.0.1:80", "1::2::3", " 127.0.0.1",
        ]
    )
    func refused(text: String) {
        #expect(throws: ServerError.self) { try SocketAddress(text, port: 80) }
    }

    @Test("A numeric host resolves to itself", arguments: ["127.0.0.1", "::1"])
    func resolved(host: String) throws {
        let addresses = try PeerAddress.resolve(host, port: 8090)
        #expect(addresses.map(\.host) == [host])
        #expect(addresses.map(\.address.port) == [8090])
    }

    @Test(
        "A target is split at its first question mark, without scheme and authority (RFC 9112 §3.2)",
        arguments: [
            ("/", "/", nil), ("/a?", "/a", ""), ("/a?b?c", "/a", "b?c"), ("/a%3Fb", "/a%3Fb", nil),
            ("//h/a", "//h/a", nil), ("*", "*", nil), ("http://h/p?q", "/p", "q"), ("http://h", "/", nil),
            ("https://h:1/a//b", "/a//b", nil), ("?q", "/", "q"),
        ] as [(String, String, String?)]
    )
    func target(text: String, path: String, query: String?) {
        let parts = TargetParts(text)
        #expect(parts.path == path)
        #expect(parts.query == query)
    }

    @Test(
        "Every problem of a request has the status code that its RFC gives it",
        arguments: RequestProblem.allCases
    )
    func status(problem: RequestProblem) {
        let others: [RequestProblem: Int] = [
            .tooSlow: 408, .contentTooLarge: 413, .targetTooLong: 414, .headTooLarge: 431,
            .unknownCoding: 501, .tooManyConnections: 503, .unknownVersion: 505,
        ]
        #expect(problem.status == others[problem, default: 400])
        #expect(RequestProblem.allCases.filter { $0.explanation == problem.explanation } == [problem])
    }
}
