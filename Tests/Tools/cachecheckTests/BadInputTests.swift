import CLibrary
import Testing
import TestSupport

@Suite("Bad input to every command, as a user types it", .timeLimit(.minutes(20)), .blocking)
struct BadInputTests {
    @Test("The built-in driver replies to every command before its end, which the end of its input causes")
    func driverReplies() throws {
        let request =
            #""method":"GET","url":"http://127.0.0.1:1/","fields":[],"body":null,"policy":null,"timeout":null,"redirects":true"#
        let lines = [
            #"{"id":1,"op":"hello","protocol":1}"#, "{\"id\":2,\"op\":\"request\",\(request)}",
            #"{"id":3,"op":"idle"}"#,
        ]
        for _ in 1...10 {
            let run = try Program().run(["driver", "serve"], input: lines.map { $0 + "\n" }.joined())
            #expect(run.status == 0)
            let replies = run.text.split(separator: "\n")
            #expect(replies.count == 3, "\(run.text)")
            #expect(replies.contains { $0.contains(#""id":2,"error""#) })
        }
    }

    /// Words of a command line, the exit status, and a part of the message.
    typealias Row = (words: [String], status: Int32, told: String)

    private static let scenario = """
        suite: s
        scenarios: [{id: a, title: t, level: must, rules: [rfc9111.4.2.fresh], steps: [idle]}]
        """

    /// Returns a program beside invalid files: missing, a folder, empty, NUL, not UTF-8, endlessly nested.
    private func program() throws -> Program {
        let program = try Program()
        program.folder.makeFolder("folder")
        for ending in ["", ".yaml", ".json", ".har"] {
            try program.folder.write("empty\(ending)", "")
            try program.folder.write("nul\(ending)", [0x61, 0, 0x62])
            try program.folder.write("bytes\(ending)", [0xFF, 0xFE, 0x3A, 0x20, 0x5B, 0x80])
            try program.folder.write("deep\(ending)", [UInt8](repeating: 0x5B, count: 100_000))
        }
        return program
    }

    @Test(
        "Standard output that cannot be written is an error with status 70",
        arguments: [
            ["rules"], ["rules", "--json"], ["network", "list"], ["driver", "list"], ["mutants", "--list"],
        ]
    )
    func fullOutput(words: [String]) throws {
        let outcome = try Program().run(words, standardOutput: "/dev/full")
        #expect(outcome.status == 70)
        #expect(outcome.text.contains("Standard output cannot be written"), "\(outcome.text)")
    }

    @Test(
        "A file that cannot be read is refused with the system's reason",
        arguments: [
            ["run", "--baseline", "FILE", "ok.yaml"], ["explain", "--response", "FILE"],
            ["audit", "--har", "FILE"], ["har", "import", "FILE", "--out", "out"], ["merge", "FILE"],
            ["serve", "--port", "0", "--har", "FILE"], ["serve", "--port", "0", "--faults", "FILE"],
            ["run", "--rules", "FILE", "ok.yaml"], ["proxy", "--config", "FILE"],
            ["run", "--replay-decisions", "FILE", "ok.yaml"],
            ["proxy", "--upstream", "http://127.0.0.1:9", "--port", "0", "--replay-decisions", "FILE"],
        ]
    )
    func reasons(words: [String]) throws {
        let program = try program()
        try program.folder.write("ok.yaml", Self.scenario)
        for (name, reason) in [("missing", "No such file or directory"), ("folder", "Is a directory")] {
            let outcome = try program.run(words.map { $0.replacing("FILE", with: name) })
            #expect(outcome.status == 65, "\(words): \(outcome.text)")
            #expect(outcome.text.contains(reason), "\(words): \(outcome.text)")
        }
    }

    @Test("Each line of a list of URLs is read by itself, whatever ends it", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let program = try Program()
        try program.folder.write(
            "urls.txt",
            ["# pages", "http://a.example/", "nowhere", ""].joined(separator: end)
        )
        let outcome = try program.run(["audit", "--urls", "urls.txt"])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains("urls.txt:3:1: found \"nowhere\""), "\(outcome.text)")
    }

    @Test("A line with two URLs, or with white space inside a URL, is refused, not joined")
    func spaces() throws {
        let program = try Program()
        try program.folder.write("urls.txt", "\u{FEFF}http://a.example/a\n\thttp://a.example/b c\n")
        let outcome = try program.run(["audit", "--urls", "urls.txt"])
        #expect(outcome.status == 65)
        #expect(
            outcome.text == "urls.txt:2:1: found \"http://a.example/b c\", expected one http or https URL\n"
        )
    }

    @Test("Control characters of a file are shown by an error message, not sent to the terminal")
    func controls() throws {
        let program = try Program()
        try program.folder.write("urls.txt", "\u{1B}[31m\n")
        let outcome = try program.run(["audit", "--urls", "urls.txt"])
        #expect(outcome.text.contains("\\u{1B}[31m"), "\(outcome.text)")
        #expect(!outcome.text.contains("\u{1B}"))
    }

    @Test("mutants --violations overwrites no file that it has not written")
    func foreignRecord() throws {
        let program = try program()
        try program.folder.write("notes.txt", "# my notes\n")
        let outcome = try program.run(["mutants", "--violations", "notes.txt"])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains("notes.txt is not a record of violations"), "\(outcome.text)")
        #expect(try String(readingFile: program.folder.path + "/notes.txt") == "# my notes\n")
    }

    @Test("An argument that is not UTF-8 is refused, with its number")
    func bytes() throws {
        let outcome = try Program().run(["fetch"], by: "exec \"$@\" \"$(printf 'http://a/\\377')\"")
        #expect(outcome.status == 64)
        #expect(outcome.text.hasPrefix("Argument 2: found bytes that are not UTF-8"), "\(outcome.text)")
    }

    @Test(
        "An archive that could not be written is refused before anything is recorded",
        arguments: ["folder", "missing/a.har"]
    )
    func unwritableArchive(path: String) throws {
        let words = ["record", "--upstream", "http://127.0.0.1:9", "--port", "0", "--har", path]
        let outcome = try program().run(words)
        #expect(outcome.status == 69)
        #expect(outcome.text.contains("\(path) cannot be written"), "\(outcome.text)")
    }

    @Test(
        "An output that could not be written is refused before anything is run or asked",
        arguments: [
            ["audit", "http://127.0.0.1:9/", "--write-baseline", "missing/a.json"],
            ["run", "scenarios", "--save-failure", "missing/failures"],
            ["run", "scenarios", "--save-failure", "scenarios/a.yaml"],
            ["matrix", "builtin", "--site", "scenarios/a.yaml"],
        ]
    )
    func unwritableOutput(words: [String]) throws {
        let program = try program()
        try program.folder.write("scenarios/a.yaml", Self.scenario)
        let outcome = try program.run(words)
        #expect(outcome.status == 70)
        #expect(outcome.text.hasPrefix("\(words.last ?? "")"), "\(outcome.text)")
        #expect(outcome.text.contains("cannot be written") && outcome.text.split(separator: "\n").count == 1)
    }

    @Test("A pipe in place of a file of scenarios is refused and not waited for")
    func pipe() throws {
        let program = try program()
        let path = program.folder.path + "/pipe.yaml"
        #expect(mkfifo(path, 0o600) == 0)
        let outcome = try program.run(["run", "--check", "pipe.yaml"])
        #expect(outcome.status == 65 && outcome.text.contains("it is a pipe"), "\(outcome.text)")
    }

    @Test(
        "An invalid file is refused with its position and status 65, by every command that reads one",
        arguments: [
            ["run", "FILE.yaml"], ["run", "FILE.json"],
            ["run", "--replay-decisions", "FILE", "ok.yaml"], ["explain", "--response", "FILE"],
            ["audit", "--har", "FILE"], ["audit", "--policy", "FILE.yaml"],
            ["explain", "--har", "FILE"], ["har", "import", "FILE", "--out", "out"], ["merge", "FILE"],
            ["serve", "--port", "0", "--har", "FILE"], ["serve", "--port", "0", "--config", "FILE.yaml"],
            ["serve", "--port", "0", "--faults", "FILE"], ["network", "list", "--profiles", "FILE"],
            ["gateway", "--origin", "http://a.example", "--port", "0", "--faults", "FILE"],
            ["proxy", "--config", "FILE.yaml"],
        ]
    )
    func files(words: [String]) throws {
        let program = try program()
        try program.folder.write("ok.yaml", Self.scenario)
        for name in ["missing", "folder", "nul", "bytes", "deep"] {
            let words = words.map { $0.replacing("FILE", with: name) }
            let outcome = try program.run(words)
            #expect(outcome.status == 65, "\(words): \(outcome.text)")
            #expect(outcome.text.contains(name), "\(words): \(outcome.text)")
        }
    }

    @Test(
        "Unknown words are refused with status 64 and the option's name",
        arguments: [
            ["run", "--jobs", "0"], ["run", "--jobs", "99999999999999999999"], ["run", "--shard", "5/4"],
            ["run", "--seed", "99999999999999999999"], ["run", "--subject", "proxy="],
            ["run", "--origin-port", "65536"], ["run", "--report", "json="], ["run", "--level", ","],
            ["fetch", "http://a.example/", "--times", "0"],
            ["fetch", "http://a.example/", "--after", "99999999999999999999s"],
            ["fetch", "http://a.example/", "--header", "A: b\nC: d"],
            ["fetch", "http://a.example/", "--method", "G T"],
            ["fetch", "http://a.example/", "--cacert", "missing"],
            ["fetch", "http://a.example/", "--pin", "x"],
            ["explain", "--after", "500ms"], ["explain", "--after", "1e9s"], ["explain", "--status", "0"],
            ["explain", "--har", "x", "--entry", "0"], ["explain", "--target", "a b"],
            ["explain", "--url", "http://[::"],
            ["audit", "http://a.example/", "--max-time", "0s"],
            ["audit", "http://a.example/", "--concurrent", "0"],
            ["audit", "http://a.example/", "--header", "x"],
            ["audit", "http://a.example/", "--target", "a b"],
            ["audit", "http://a.example/", "--report", "xml"],
            ["serve", "--port", "65536"], ["serve", "--cache-tests=foo"], ["serve", "--tls", "foo"],
            ["serve", "--journal", "1000001"], ["serve", "--head-time", "99999999999999999999d"],
            ["serve", "--connections", "0"], ["serve", "--profiles", "missing"],
            ["serve", "--port", "0", "--network", "lte for 99999999999999999999s, then edge"],
            ["serve", "--control-token", "long-enough-token"],
            ["serve", "--tls-port", "0"], ["serve", "--ca-dir", "ca"],
            ["serve", "--upstream", "nowhere"], ["serve", "--upstream-ca", "ca.pem"],
            ["serve", "--upstream", "http://a.example", "--cache-tests"],
            ["serve", "folder", "--cache-tests"], ["serve", "folder", "--har=ok.har"],
            ["serve", "--config", "a.yaml", "--har=ok.har"],
            ["gateway", "--origin", "http://a.example/path"], ["gateway", "--origin", "http://a.example:0"],
            ["record", "--out", "d", "--upstream", "http://a.example:65537"],
            ["record", "--out", "d", "--upstream", "http://a.example?q"],
            ["record", "--out", "d", "--upstream", "http://u:p@a.example"],
            ["proxy", "--upstream", "http://a b"], ["proxy", "--upstream", "http://[::1"],
            ["serve", "--upstream", "http://a.example#f"],
            ["gateway", "--origin", "http://a.example", "--cache-dir", "d", "--disk-size", "x"],
            ["gateway", "--origin", "http://a.example", "--disk-size", "1MiB"],
            ["gateway", "--origin", "http://a.example", "--memory-size", "99999999999GiB"],
            ["gateway", "--origin", "http://a.example", "--variants", "0"],
            ["gateway", "--origin", "http://a.example", "--origin-connections", "0"],
            ["gateway", "--origin", "http://a.example", "--content-limit", "x"],
            ["gateway", "--origin", "http://a.example", "--threads", "65"],
            ["gateway", "--origin", "http://a.example", "--host", ""],
            ["gateway", "--origin", "http://a.example", "--target", "é"],
            ["gateway", "--origin", "http://a.example", "--target", ""],
            ["gateway", "--origin", "http://a.example", "--target", "CDN-Cache-Control,Other"],
            ["gateway", "--origin", "http://a.example", "--target", "none", "--target", "Other"],
            ["gateway", "--origin", "http://a.example", "--host", "a b"],
            ["fetch", "http://a.example/", "--header", "Host: b.example"],
            ["fetch", "http://a.example/", "--header", "Content-Length: 5"],
            ["gateway", "--origin", "http://a.example", "--fault", "reset@nowhere"],
            ["gateway", "--origin", "http://a.example", "--network", "nothing"],
            ["proxy", "--config", "a.yaml", "--port", "8080"],
            ["proxy", "--config", "a.yaml", "--forward"],
            ["proxy", "--upstream", "http://a.example", "--intercept", "*"],
            ["proxy", "--forward", "--upstream", "https://a.example"],
            ["proxy", "--forward", "--upstream", "http://a.example", "--allow", "127.0.0.0/8"],
            [
                "proxy", "--forward", "--upstream", "http://a.example", "--intercept", "*",
                "--insecure-upstream",
            ],
            ["proxy", "--upstream", "http://a.example", "--allow", "127.0.0.0/8"],
            ["proxy", "--forward", "--allow", "127.0.0.0/33"],
            ["proxy", "--forward", "--intercept", "http://a.example"],
            ["proxy", "--forward", "--tls"],
            ["proxy", "--forward", "--ca-dir", "ca"],
            ["proxy", "--forward", "--insecure-upstream"],
            ["proxy", "--tcp", "1=127.0.0.1:2", "--record", "d"],
            ["proxy", "--tcp", "localhost=127.0.0.1:2"], ["proxy", "--tcp", "::1:15432=127.0.0.1:2"],
            ["proxy", "--config", "a.yaml", "--keep-secrets"],
            ["proxy", "--upstream", "http://a.example", "--keep-secrets"],
            ["proxy", "--upstream", "http://a.example", "--redact-field", "X-Customer"],
            [
                "record", "--upstream", "http://a.example", "--out", "o", "--keep-secrets", "--redact-member",
                "iban",
            ],
            ["proxy", "--upstream", "http://a.example", "--minimal", "a.yaml"],
            ["proxy", "--upstream", "http://a.example", "--minimize"],
            ["proxy", "--config", "a.yaml", "--listen", "127.0.0.1"],
            ["proxy", "--config", "a.yaml", "--host", "client"],
            ["matrix", "--jobs", "0"], ["mutants", "--jobs", "0"],
        ]
    )
    func words(_ words: [String]) throws {
        let outcome = try Program().run(words)
        #expect(outcome.status == 64, "\(outcome.text)")
        let option = try #require(words.last { $0.hasPrefix("--") }).prefix { $0 != "=" }
        #expect(outcome.text.contains(option), "\(outcome.text)")
    }

    @Test(
        "An option that has no effect beside another, or without it, is refused, and both are named",
        arguments: [
            (["explain", "--cache-dir", "d", "http://a.example/"], ["--request", "f"], "--cache-dir"),
            (["explain", "--cache-dir", "d", "http://a.example/"], ["--url", "http://a/"], "--cache-dir"),
            (["explain", "--cache-dir", "d", "http://a.example/"], ["--har", "f"], "--cache-dir"),
            (["explain", "--cache-dir", "d", "http://a.example/"], ["--status", "200"], "--cache-dir"),
            (["explain", "--har", "f"], ["--response-header", "A: b"], "--har"),
            (["explain", "--har", "f"], ["--method", "HEAD"], "--har"),
            (["explain"], ["--entry", "2"], "--har"), (["explain", "--json"], ["--problems"], "--json"),
            (["fetch", "http://a.example/"], ["--after", "5s"], "--times"),
            (["run", "a.failure.json"], ["--seed", "1"], "a saved case"),
            (["run", "a.failure.json"], ["--check"], "a saved case"),
            (["run"], ["--time", "real"], "the built-in client"),
            (["run", "--subject", "nginx"], ["--transport", "direct"], "--subject nginx"),
            (["run", "--subject", "nginx"], ["--without-observer"], "--subject nginx"),
            (["why", "a"], ["--time", "real"], "the built-in client"),
            (["why", "a", "--subject", "nginx"], ["--deviation", "content-language"], "--subject nginx"),
            (["audit", "http://a.example/", "--init"], ["--report", "json"], "--init"),
            (["audit", "http://a.example/", "--why", "x"], ["--write-baseline", "f"], "--why"),
            (["audit", "http://a.example/"], ["--max-urls", "5"], "--crawl"),
            (["mutants", "--degenerate"], ["--filter", "x"], "--degenerate"),
            (["mutants", "--list"], ["--report", "html"], "--list"),
            (["mutants", "--violations", "f"], ["--all"], "--violations"),
            (["proxy", "--tcp", "1=127.0.0.1:2"], ["--port", "0"], "--upstream"),
            (["proxy", "--tcp", "1=127.0.0.1:2"], ["--x-forwarded"], "--upstream"),
            (["gateway", "--origin", "http://a.example"], ["--insecure"], "https://"),
            (["record", "--upstream", "http://a.example", "--out", "o"], ["--any-host"], "https://"),
        ]
    )
    func withoutEffect(command: [String], option: [String], other: String) throws {
        let outcome = try Program().run(command + option)
        #expect(outcome.status == 64, "\(outcome.text)")
        let message = outcome.text.prefix { $0 != "\n" }
        #expect(message.contains(option[0]) && message.contains(other), "\(outcome.text)")
    }

    @Test(
        "Two reports in one file are refused before anything runs",
        arguments: [
            ["run", "missing", "--report", "json=a", "--report", "html=a"],
            ["run", "missing", "--report", "json=a", "--har", "a"],
            ["audit", "http://127.0.0.1:9/", "--report", "json=a", "--report", "html=a"],
            ["audit", "http://127.0.0.1:9/", "--report", "json=a", "--write-baseline", "a"],
            ["matrix", "--report", "json=a", "--report", "html=a"],
            ["merge", "missing", "--report", "json=a", "--report", "html=a"],
        ]
    )
    func sharedFile(words: [String]) throws {
        let program = try Program()
        let outcome = try program.run(words)
        #expect(outcome.status == 64, "\(outcome.text)")
        #expect(
            outcome.text.hasPrefix("Error: found two options that write a, expected a file for each"),
            "\(outcome.text)"
        )
        #expect(!program.folder.names.contains("a"))
    }

    @Test(
        "A value that turns out to be wrong is named in one line, without the usage of another command",
        arguments: [
            (
                ["run", "scenarios/http/4.2-freshness", "--filter", "x"],
                "Error: No scenario is selected: none matches the filter \"x\".\n"
            ),
            (["why", "nothing-like-it"], "Error: No scenario has the id \"nothing-like-it\".\n"),
        ]
    )
    func withoutUsage(words: [String], text: String) throws {
        let outcome = try Program().run(words)
        #expect(outcome.status == 64)
        #expect(outcome.text == text)
    }

    @Test(
        "Options that an origin for the public suite does not use are refused with --cache-tests, and named",
        arguments: [
            ["--config", "a.yaml"], ["--har", "a.har"], ["--journal", "5"], ["--control-port", "0"],
            ["--faults", "a.yaml"], ["--seed", "1"], ["--network", "lte"], ["--decisions", "log"],
            ["--replay-decisions", "log"],
        ]
    )
    func besideCacheTests(words: [String]) throws {
        let outcome = try Program().run(["serve", "--port", "0", "--cache-tests"] + words)
        #expect(outcome.status == 64, "\(outcome.text)")
        #expect(outcome.text.contains("found both --cache-tests and \(words[0]),"), "\(outcome.text)")
    }

    @Test("A folder that is not a cache directory is reported, and not turned into one")
    func cacheDirectory() throws {
        let program = try Program()
        let outcome = try program.run(["explain", "--cache-dir", "cache", "http://a.example/"])
        #expect(outcome.status == 65)
        #expect(outcome.text.contains("cache:1:1: found no folder, expected a cache directory"))
        #expect(!program.folder.names.contains("cache"))
        program.folder.makeFolder("empty")
        let other = try program.run(["explain", "--cache-dir", "empty", "http://a.example/"])
        #expect(other.status == 65)
        #expect(other.text.contains("empty:1:1: found a folder without a cache, expected a cache directory"))
        #expect(program.folder.names(in: "empty") == [])
    }

    @Test(
        "A gateway, which has several users, refuses the cache of fetch, whatever its own kind (RFC 9111 §3.5)"
    )
    func otherKind() throws {
        let program = try Program()
        _ = try program.run(["fetch", "http://127.0.0.1:9/", "--cache-dir", "cache"])
        let gateway = [
            "gateway", "--origin", "http://127.0.0.1:9", "--listen", "nowhere", "--cache-dir", "cache",
        ]
        let refused = try program.run(gateway)
        #expect(refused.status == 69 && refused.text.contains("found private cache, expected shared cache"))
        let refusedToo = try program.run(gateway + ["--cache", "private"])
        #expect(refusedToo.status == 69)
        #expect(refusedToo.text.contains("found private cache, expected private cache, for several users"))
        let partitioned = try program.run(
            ["fetch", "http://127.0.0.1:9/", "--cache-dir", "cache", "--partition", "sixteen bytes or more"]
        )
        #expect(partitioned.status == 69)
        #expect(
            partitioned.text.contains(
                "found private cache, expected private cache, with credentials in its keys"
            )
        )
        for _ in 1...2 {
            let own = try program.run(gateway.dropLast() + ["own", "--cache", "private"])
            #expect(own.status == 69 && own.text.contains("nowhere") && !own.text.contains("expected"))
        }
    }

    @Test(
        "A failure to start or write results in 69 or 70, and is named",
        arguments: [
            (["serve", "--port", "0", "--listen", "nowhere"], 69, "nowhere"),
            (
                ["serve", "--port", "0", "--decisions", "folder"], 70,
                "folder cannot be written: Is a directory"
            ),
            (
                ["serve", "--port", "0", "--decisions", "/dev/full"], 70,
                "/dev/full cannot be written: No space left on device"
            ),
            (
                ["proxy", "--upstream", "https://127.0.0.1:9", "--port", "0", "--upstream-ca", "missing"], 69,
                "missing: cannot be read: No such file or directory"
            ),
            (
                ["gateway", "--origin", "http://a.example", "--port", "0", "--cache-dir", "empty"], 69,
                "empty"
            ),
            (["record", "--upstream", "http://a.example", "--port", "0", "--out", "empty"], 69, "empty"),
            (["har", "import", "ok.har", "--out", "empty"], 70, "empty"),
            (["matrix", "driver=/nonexistent"], 69, "No subject could be run"),
        ] as [Row]
    )
    func obstacles(row: Row) throws {
        let program = try program()
        try program.folder.write("ok.har", #"{"log": {"version": "1.2", "entries": []}}"#)
        try program.folder.write("scenarios/a.yaml", Self.scenario)
        let outcome = try program.run(row.words)
        #expect(outcome.status == row.status, "\(outcome.text)")
        #expect(outcome.text.contains(row.told), "\(outcome.text)")
    }
}
