import TestSupport
import Testing

@Suite("cachecheck audit", .timeLimit(.minutes(20)), .blocking)
struct AuditCommandTests {
    private static let cdn = "public, max-age=60"

    /// An archive of responses: a page, a file with a warning, and one that a delivery network keeps for longer.
    private static let archive = """
        {"log": {"entries": [
        \(entry("/page", "text/html", "private, no-cache")), \(entry("/data", "application/json", "maxage=60, no-cache")),
        \(entry("/file", "text/plain", cdn, #", {"name": "CDN-Cache-Control", "value": "max-age=3600"}"#))
        ]}}
        """

    private static func entry(_ path: String, _ type: String, _ control: String, _ more: String = "")
        -> String
    {
        """
        {"startedDateTime": "2026-09-21T12:00:00Z", "time": 1,
         "request": {"method": "GET", "url": "https://a.example\(path)", "headers": []},
         "response": {"status": 200, "headers": [{"name": "Date", "value": "Mon, 21 Sep 2026 12:00:00 GMT"},
          {"name": "Content-Type", "value": "\(type)"}, {"name": "Cache-Control", "value": "\(control)"},
          {"name": "ETag", "value": "\\"1\\""}\(more)], "content": {"size": 0}}}
        """
    }

    private static let policy = """
        rules:
          - name: pages
            match: {type: text/html}
            expect: {shared: not-stored}
          - match: /data
            expect: {private: revalidates}

        """

    private func run(_ words: String) throws -> Program.Outcome {
        let program = try Program()
        for (name, text) in [
            ("a.har", Self.archive), ("p.yaml", Self.policy), ("bad.yaml", "rules: [{match: /a}]\n"),
            ("expired.yaml", Self.policy + Self.ignoring("/data", until: "2026-01-01")),
            ("unmatched.yaml", Self.policy + Self.ignoring("/other", until: "2999-01-01")),
            ("unnecessary.yaml", Self.policy + Self.ignoring("/page", until: "2999-01-01")),
            ("needed.yaml", Self.policy + Self.ignoring("/data", until: "2999-01-01")),
            (
                "strict.yaml",
                "rules: [{name: pages, match: {type: text/html}, expect: {private: \">= 1d\"}}]\n"
            ),
            ("stale.txt", "shared-cookie https://a.example/page: gone\n"),
        ] { try program.folder.write(name, text) }
        return try program.run(["audit"] + words.split(separator: " ").map(String.init))
    }

    private static func ignoring(_ path: String, until: String) -> String {
        "ignore: [{url: \"https://a.example\(path)\", until: \(until), why: known}]\n"
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let words: String
        let status: Int32
        let text: String
        var testDescription: String { words }

        init(_ words: String, _ status: Int32, _ text: String) {
            (self.words, self.status, self.text) = (words, status, text)
        }
    }

    static let rows = [
        Row("", 64, "Nothing to audit"),
        Row("ftp://a.example/", 64, "expected an absolute http or https URL"),
        Row("--har a.har --report json=folder/", 64, "only html writes a folder"),
        Row("--har a.har --why shared-cooky", 64, "did you mean \"shared-cookie\"?"),
        Row("--crawl http://127.0.0.1:1/ --shard 1/2", 64, "a crawl cannot be divided"),
        Row("--har none.har", 65, "none.har:1:1: found a file that cannot be read"),
        Row("--har a.har --policy bad.yaml", 65, "bad.yaml:1:9"),
        Row("http://127.0.0.1:1/", 69, "1 could not be audited"),
        Row("--har a.har", 0, "3 URLs audited, 0 errors, 1 warning"),
        Row("--har a.har --strict", 1, "3 URLs audited, 1 error, 0 warnings"),
        Row("--har a.har --policy p.yaml", 0, "0 errors"),
        Row(
            "--har a.har --policy strict.yaml",
            1,
            "pages: private: expected >= 1d, found stored, validated at each use"
        ),
        Row(
            "--har a.har --policy expired.yaml",
            1,
            "the exception for https://a.example/data has expired: known"
        ),
        Row("--har a.har --policy unmatched.yaml", 1, "matches no URL that was audited"),
        Row("--har a.har --policy unnecessary.yaml", 1, "ignores nothing; remove it"),
        Row("--har a.har --policy needed.yaml --strict", 0, "0 errors, 0 warnings, 0 advice, 1 ignored"),
        Row(
            "--har a.har --baseline stale.txt",
            1,
            "shared-cookie https://a.example/page is not found any more; remove it"
        ),
        Row(
            "--har a.har --why misspelt-directive",
            0,
            "misspelt-directive: a misspelt directive (warning, RFC 9111 §5.2.3)"
        ),
        Row(
            "--har a.har --target CDN-Cache-Control",
            0,
            "cache that obeys CDN-Cache-Control: stored, fresh for 1 h (max-age)"
        ),
    ]

    @Test("The exit status and the reason for it", arguments: rows)
    func status(_ row: Row) throws {
        let outcome = try run(row.words)
        #expect(outcome.status == row.status, "\(outcome.text)")
        #expect(outcome.text.contains(row.text), "\(outcome.text)")
    }

    @Test("The parts of an audit have each URL once")
    func shards() throws {
        let parts = try (1...2).map { try run("--har a.har --shard \($0)/2").text }
        for path in ["/page", "/data", "/file"] {
            #expect(parts.filter { $0.contains("https://a.example\(path)  200") }.count == 1)
        }
    }

    @Test("A baseline that was written accepts the findings, and keeps a reason that was changed")
    func baseline() throws {
        let program = try Program()
        try program.folder.write("a.har", Self.archive)
        let strict = ["audit", "--har", "a.har", "--strict"]
        #expect(try program.run(strict + ["--write-baseline", "b.txt"]).status == 0)
        let written = try #require(program.folder.text("b.txt"))
        #expect(written.contains("misspelt-directive https://a.example/data: "))
        #expect(try program.run(strict + ["--baseline", "b.txt"]).status == 0)
        try program.folder.write(
            "b.txt",
            "misspelt-directive https://a.example/data: until the next release\n"
        )
        _ = try program.run(strict + ["--baseline", "b.txt", "--write-baseline", "c.txt"])
        #expect(program.folder.text("c.txt")?.contains("/data: until the next release\n") == true)
    }

    @Test(
        "SARIF and annotations are at the line of the policy's rule for a URL, whatever the finding is about"
    )
    func places() throws {
        let github = try run("--har a.har --policy p.yaml --report github").text
        #expect(github.contains("::warning file=p.yaml,line=5,col=5,title=a misspelt directive"), "\(github)")
        let sarif = try run("--har a.har --policy p.yaml --report sarif").text
        #expect(sarif.contains("\"uri\":\"p.yaml\"") && sarif.contains("\"startLine\":5"), "\(sarif)")
    }
}
