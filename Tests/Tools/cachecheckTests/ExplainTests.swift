import Testing
import TestSupport

@Suite("cachecheck explain, as a user runs it", .timeLimit(.minutes(20)), .blocking)
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

    @Test("The exchange of an archive is chosen by its number", arguments: [["--entry", "1"], []])
    func entry(words: [String]) throws {
        let archive = packageFolder + "/fixtures/heads/browser.har"
        let outcome = try Program().run(["explain", "--har", archive, "--json"] + words)
        #expect(outcome.status == 0, "\(outcome.text)")
    }

    @Test(
        "Each head of a redirect is explained, the second for the Location, and a URL that is not given is named as assumed"
    )
    func several() throws {
        let heads = "HTTP/1.1 301\nLocation: /new\n\n" + Self.head + "HTTP/1.1 404\n\n"
        let outcome = try Program().run(["explain", "--url", "https://a.example/old"], input: heads)
        #expect(outcome.text.contains("Response 1 of 3: 301 from https://a.example/old\n"))
        #expect(outcome.text.contains("Response 2 of 3: 200 from https://a.example/new\n"))
        #expect(outcome.text.contains("requests for https://a.example/new."))
        #expect(
            outcome.text.contains(
                "Response 3 of 3: 404 from https://origin.example/\nNo URL was given; assuming "
            )
        )
        let json = try Program().run(["explain", "--json"], input: heads).text
        #expect(json.hasPrefix("["))
    }

    @Test("Advice comes first, problems before hints, and alone with --problems")
    func problemsFirst() throws {
        let options = ["explain", "--url", "http://a.example/", "-R", "Cache-Control: public; max-age=60"]
        let lines = try Program().run(options).text.split(separator: "\n")
        #expect(lines[0] == "Advice for the response's author")
        #expect(lines[1].hasPrefix("  problem: "))
        #expect(lines[2].hasPrefix("  hint: "))
        #expect(lines.contains("Storing"))
        let alone = try Program().run(options + ["--problems"]).text
        #expect(alone.hasPrefix("Advice") && !alone.contains("Storing"))
    }

    @Test("A file instead of a URL results in an explanation of how heads are read")
    func file() throws {
        let outcome = try Program().run(["explain", "head.txt"])
        #expect(outcome.status == 64)
        #expect(outcome.text.contains("Heads are read from standard input, or with --request FILE"))
    }
}
