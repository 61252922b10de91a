import Testing
import TestSupport

@Suite("cachecheck explain, as a user runs it", .timeLimit(.minutes(5)))
struct ExplainTests {
    private static let head = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\n\r\n"

    @Test(
        "A response is read from standard input whatever options describe the request",
        arguments: [[], ["--url", "http://a.example/p"], ["-H", "Accept: */*"], ["-X", "GET"]]
    )
    func input(options: [String]) throws {
        let outcome = try Program().run(["explain"] + options, input: Self.head)
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("It is fresh for 60 s, from max-age."))
    }

    @Test("If options describe the response, standard input is not read")
    func options() throws {
        let outcome = try Program().run(["explain", "-R", "Cache-Control: max-age=5"], input: Self.head)
        #expect(outcome.text.contains("It is fresh for 5 s, from max-age."))
    }

    @Test("A file instead of a URL results in an explanation of how heads are read")
    func file() throws {
        let outcome = try Program().run(["explain", "head.txt"])
        #expect(outcome.status == 64)
        #expect(outcome.text.contains("Heads are read from standard input, or with --request FILE"))
    }
}
