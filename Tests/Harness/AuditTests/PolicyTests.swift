import HTTPArchive
import HTTPTypes
import JSON
import LocatedYAML
import MockOrigin
import OriginScript
import Testing

@testable import Audit

@Suite("Policies", .timeLimit(.minutes(20)))
struct PolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let expect: String
        let cacheControl: String
        let holds: Bool
        var testDescription: String { "\(expect) with \(cacheControl)" }
    }

    static let rows: [Row] = [
        Row(expect: "shared: not-stored", cacheControl: "private, max-age=60", holds: true),
        Row(expect: "shared: not-stored", cacheControl: "no-store", holds: true),
        Row(expect: "shared: not-stored", cacheControl: "max-age=60", holds: false),
        Row(expect: "private: revalidates", cacheControl: "no-cache", holds: true),
        Row(expect: "private: revalidates", cacheControl: "max-age=0, must-revalidate", holds: true),
        Row(expect: "private: revalidates", cacheControl: "no-store", holds: true),
        Row(expect: "private: revalidates", cacheControl: "max-age=1", holds: false),
        Row(expect: "private: \">= 1y\"", cacheControl: "public, max-age=31536000", holds: true),
        Row(expect: "private: \">= 1y\"", cacheControl: "max-age=31535999", holds: false),
        Row(expect: "shared: \"<= 60s\"", cacheControl: "max-age=600, s-maxage=60", holds: true),
        Row(expect: "shared: \"<= 60s\"", cacheControl: "max-age=60, s-maxage=600", holds: false),
        Row(expect: "immutable: true", cacheControl: "max-age=600, immutable", holds: true),
        Row(expect: "immutable: true", cacheControl: "max-age=600", holds: false),
        Row(expect: "validator: strong", cacheControl: "max-age=600", holds: true),
        Row(expect: "validator: none", cacheControl: "max-age=600", holds: false),
        Row(expect: "varies-on: []", cacheControl: "max-age=600", holds: true),
        Row(expect: "varies-on: [Accept]", cacheControl: "max-age=600", holds: false),
    ]

    @Test("An expectation is about the outcome, whatever fields cause it", arguments: rows)
    func expectation(_ row: Row) throws {
        let policy = try AuditPolicy.decode("rules: [{match: /**, expect: {\(row.expect)}}]", file: "p.yaml")
        var report = AuditReport()
        report.urls = [judged(exchange("/a", ["Cache-Control": row.cacheControl, "ETag": "\"v1\""]))]
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        #expect(report.findings.contains { $0.rule == "policy" } == !row.holds)
    }

    struct CorrectionRow: Sendable, CustomTestStringConvertible {
        let expect: String
        let cacheControl: String
        /// The lines of the correction; empty for none.
        let correct: [String]
        var testDescription: String { "\(expect) with \(cacheControl)" }
    }

    static let corrections: [CorrectionRow] = [
        CorrectionRow(
            expect: "shared: not-stored, private: revalidates",
            cacheControl: "public, max-age=300",
            correct: ["Cache-Control: no-cache, private"]
        ),
        CorrectionRow(
            expect: "shared: not-stored",
            cacheControl: "public, s-maxage=300, max-age=60",
            correct: ["Cache-Control: max-age=60, private"]
        ),
        CorrectionRow(
            expect: "private: \">= 1y\", shared: \">= 1y\"",
            cacheControl: "no-cache",
            correct: ["Cache-Control: max-age=31536000"]
        ),
        CorrectionRow(
            expect: "private: revalidates, shared: \">= 60s\"",
            cacheControl: "max-age=10",
            correct: ["Cache-Control: max-age=0, s-maxage=60"]
        ),
        CorrectionRow(
            expect: "shared: \"<= 60s\"",
            cacheControl: "max-age=600",
            correct: ["Cache-Control: max-age=600, s-maxage=60"]
        ),
        CorrectionRow(
            expect: "private: not-stored",
            cacheControl: "public, max-age=600",
            correct: ["Cache-Control: no-store"]
        ),
        CorrectionRow(
            expect: "private: \"<= 1m\", shared: stored",
            cacheControl: "private, no-store",
            correct: ["Cache-Control: max-age=0"]
        ),
        CorrectionRow(
            expect: "shared: stored",
            cacheControl: "no-store, max-age=60",
            correct: ["Cache-Control: max-age=60"]
        ),
        CorrectionRow(
            expect: "immutable: true",
            cacheControl: "max-age=600",
            correct: ["Cache-Control: max-age=600, immutable"]
        ),
        CorrectionRow(
            expect: "varies-on: [accept-encoding]",
            cacheControl: "max-age=600",
            correct: ["Vary: Accept-Encoding"]
        ),
        CorrectionRow(expect: "validator: none", cacheControl: "max-age=600", correct: []),
        // No response is both.
        CorrectionRow(
            expect: "shared: stored, private: not-stored",
            cacheControl: "max-age=600",
            correct: []
        ),
    ]

    @Test("A correction is offered if it satisfies all expectations of the rule", arguments: corrections)
    func correction(_ row: CorrectionRow) throws {
        let policy = try AuditPolicy.decode("rules: [{match: /**, expect: {\(row.expect)}}]", file: "p.yaml")
        var report = AuditReport()
        report.urls = [judged(exchange("/a", ["Cache-Control": row.cacheControl, "ETag": "\"v1\""]))]
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        let finding = try #require(report.findings.first { $0.rule == "policy" })
        #expect(finding.correction.map(\.text) == row.correct)
    }

    @Test("The first rule that matches applies")
    func order() throws {
        let text = """
            rules:
              - match: "/assets/*-[hash].*"
                expect: {private: stored}
              - match: /**
                expect: {private: not-stored}
            """
        let policy = try AuditPolicy.decode(text, file: "p.yaml")
        var report = AuditReport()
        report.urls = ["/assets/a-3f9a1c2d.js", "/assets/a.js"].map {
            judged(exchange($0, ["Cache-Control": "max-age=60"]))
        }
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        let found = report.findings.filter { $0.rule == "policy" }
        #expect(found.map(\.url) == ["https://site.example/assets/a.js"])
        #expect(found.first?.position?.description == "p.yaml:5:14")
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        let text: String
        let problem: String
        var testDescription: String { text }
    }

    static let badRows: [BadRow] = [
        BadRow(text: "rules: [{match: /a, expect: {shared: long}}]", problem: "p.yaml:1:38: found \"long\""),
        BadRow(text: "rules: [{match: /a}]", problem: "p.yaml:1:9: found a rule without \"expect\""),
        BadRow(text: "rule: []", problem: "p.yaml:1:1: found unknown key \"rule\" in a policy"),
        BadRow(text: "site: example.com\nrules: []", problem: "p.yaml:1:7: found \"example.com\""),
        BadRow(text: "ignore: [{url: /**}]", problem: "found an exception without \"why\""),
        BadRow(text: "ignore: [{url: /**, why: x, until: soon}]", problem: "found \"soon\""),
        BadRow(
            text: "ignore: [{url: /**, why: \" \"}]",
            problem: "p.yaml:1:26: found \" \", expected a reason"
        ),
        BadRow(
            text: "rules: [{match: /a, with: [{Cookie: a=1}], expect: {not-shared-between: callers}}]",
            problem: "not-shared-between with 1 callers"
        ),
        BadRow(
            text: "rules: [{match: /a, with: [{Cookie: a=1}], expect: {shared: stored}}]",
            problem: "found \"with\""
        ),
    ]

    @Test("An invalid policy is rejected with file, line and column", arguments: badRows)
    func invalid(_ row: BadRow) {
        let error = #expect(throws: YAMLProblems.self) { try AuditPolicy.decode(row.text, file: "p.yaml") }
        #expect(error?.description.contains(row.problem) == true, "\(error?.description ?? "")")
    }

    struct IgnoreRow: Sendable, CustomTestStringConvertible {
        let ignore: String
        let rules: [String]
        var testDescription: String { ignore }
    }

    static let ignoreRows: [IgnoreRow] = [
        IgnoreRow(ignore: "url: https://site.example/**", rules: []),
        IgnoreRow(ignore: "url: https://site.example/**, rule: no-lifetime", rules: []),
        IgnoreRow(
            ignore: "url: https://site.example/**, rule: vary-star",
            rules: ["ignore-unnecessary", "no-lifetime"]
        ),
        IgnoreRow(ignore: "url: https://other.example/**", rules: ["ignore-unmatched", "no-lifetime"]),
        IgnoreRow(
            ignore: "url: https://site.example/**, until: 2026-09-20",
            rules: ["ignore-expired", "no-lifetime"]
        ),
        IgnoreRow(ignore: "url: https://site.example/**, until: 2026-09-21", rules: []),
    ]

    @Test("An exception fails once it has expired, matches nothing or is unnecessary", arguments: ignoreRows)
    func ignores(_ row: IgnoreRow) throws {
        let policy = try AuditPolicy.decode("ignore: [{\(row.ignore), why: known}]", file: "p.yaml")
        var report = AuditReport()
        report.urls = [judged(exchange("/a", ["ETag": "\"v1\""]))]
        // 2026-09-21 12:00.
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 1_789_992_000))
        #expect(report.findings.map(\.rule).sorted() == row.rules)
        #expect(report.exitStatus == (row.rules.isEmpty ? 0 : 1))
    }

    @Test("A rule that matches no URL is a warning, unless only a part is audited")
    func unmatchedRule() throws {
        let text =
            "rules: [{match: /a, expect: {private: stored}}, {match: /typo, expect: {private: stored}}]"
        let policy = try AuditPolicy.decode(text, file: "p.yaml")
        for isShard in [false, true] {
            var report = AuditReport()
            report.isShard = isShard
            report.urls = [judged(exchange("/a", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))]
            policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
            #expect(report.policyFindings.map(\.rule) == (isShard ? [] : ["rule-unmatched"]))
            #expect(report.policyFindings.allSatisfy { $0.message.hasPrefix("p.yaml:1:49: the rule") })
            #expect(report.exitStatus == 0)
        }
    }

    @Test(
        "Of a part of an audit, and of what could not be audited, it is not known what an exception ignores"
    )
    func ignoresOfPart() throws {
        let text = "ignore: [{url: https://*.example/**, rule: vary-star, why: known}]"
        let policy = try AuditPolicy.decode(text, file: "p.yaml")
        var part = AuditReport()
        part.isShard = true
        policy.judge(&part, at: HTTPDate(secondsSinceEpoch: 0))
        #expect(part.exitStatus == 0)
        var whole = AuditReport()
        whole.urls = [
            judged(exchange("/a", ["Cache-Control": "max-age=60", "ETag": "\"1\""])),
            AuditedURL(url: "https://b.example/"),
        ]
        whole.urls[1].failure = .timedOut(.seconds(30))
        policy.judge(&whole, at: HTTPDate(secondsSinceEpoch: 0))
        #expect(whole.policyFindings.isEmpty)
        #expect(whole.exitStatus == 69)
    }

    struct MatchRow: Sendable, CustomTestStringConvertible {
        let match: String
        let holds: Bool
        var testDescription: String { match }
    }

    static let matchRows = [
        MatchRow(match: "host: site.example", holds: true),
        MatchRow(match: "host: Site.Example:8443", holds: true),
        MatchRow(match: "host: site.example:8444", holds: false),
        MatchRow(match: "host: \"*.example\"", holds: true),
        MatchRow(match: "type: Text/HTML", holds: true), MatchRow(match: "type: text/*", holds: true),
        MatchRow(match: "type: text/plain", holds: false),
    ]

    @Test("Hosts match with or without their port, hosts and types whatever their case", arguments: matchRows)
    func match(_ row: MatchRow) throws {
        var page = exchange("/", ["Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8"])
        page.request.authority = "site.example:8443"
        let policy = try AuditPolicy.decode(
            "rules: [{match: {\(row.match)}, expect: {shared: stored}}]",
            file: "p.yaml"
        )
        #expect((policy.rule(for: judged(page)) != nil) == row.holds)
    }

    @Test("An expectation that could not be checked is not satisfied", arguments: [1, 2, 3, 4])
    func unchecked(requests: Int) async throws {
        let page = Answer(fields: ["Cache-Control": "max-age=60"], body: "x") { $0.entityTag = .md5 }
        let server = try MockServer.started(routes: [Route("/", page)])
        defer { server.stop() }
        let text = """
            rules:
              - match: /
                with: [{Cookie: a=1}, {Cookie: a=2}]
                expect: {conditional: 304, not-shared-between: callers}
            """
        let policy = try AuditPolicy.decode(text, file: "p.yaml")
        var report = try await audit(
            [server.url + "/"],
            bareSettings { $0.requestLimit = requests },
            policy: policy
        )
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        let found = report.findings.filter { $0.rule == "policy" }.map(\.message)
        #expect(found.count == max(0, min(2, 4 - requests)), "\(found)")
        #expect(found.allSatisfy { $0.contains("could not be checked: the limit of") }, "\(found)")
    }

    @Test(
        "A condition that a policy asks about is tried without other probes, too, and once with them",
        arguments: [true, false]
    )
    func conditional(probes: Bool) async throws {
        let page = Answer(fields: ["Cache-Control": "max-age=60"], body: "x") { $0.entityTag = .md5 }
        let server = try MockServer.started(routes: [Route("/", page)])
        defer { server.stop() }
        let policy = try AuditPolicy.decode("rules: [{match: /, expect: {conditional: 200}}]", file: "p.yaml")
        var report = try await audit(
            [server.url + "/"],
            bareSettings { $0.makesProbes = probes },
            policy: policy
        )
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        let found = report.findings.filter { $0.rule == "policy" }.map(\.message)
        #expect(found == ["/: conditional: expected 200, found 304"])
        let tag = report.urls.first?.exchange?.fields[.eTag]
        let asked = server.journal().filter { entry in
            entry.request.fields.contains { $0.name.lowercased() == "if-none-match" && $0.value == tag }
        }
        #expect(asked.count == 1)
    }

    static let sharedRows = [("max-age=60", true), ("private, max-age=60", false), ("no-store", false)]

    @Test("What a shared cache would send from one caller to another is found", arguments: sharedRows)
    func callers(cacheControl: String, isShared: Bool) async throws {
        let answer = Answer(fields: ["Cache-Control": cacheControl], body: "") {
            $0.body = Template("hello ${field.Cookie}").map { BodySource.template($0) } ?? ""
        }
        let server = try MockServer.started(routes: [Route("/api", answer)])
        defer { server.stop() }
        let text =
            "rules: [{match: /api, with: [{Cookie: a=1}, {Cookie: a=2}], expect: {not-shared-between: callers}}]"
        let policy = try AuditPolicy.decode(text, file: "p.yaml")
        var report = try await audit(
            [server.url + "/api"],
            impatientSettings { $0.makesProbes = false },
            policy: policy
        )
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        #expect(report.findings.contains { $0.rule == "policy" } == isShared)
    }

    @Test("The first policy of a site is satisfied by that site")
    func draft() async throws {
        let page = Answer(fields: ["Content-Type": "text/html", "Cache-Control": "no-cache"], body: "<p>") {
            $0.entityTag = .md5
        }
        let asset = Answer(fields: ["Cache-Control": "max-age=31536000, immutable"], body: "x") {
            $0.entityTag = .md5
        }
        let server = try MockServer.started(routes: [Route("/", page), Route("/a-3f9a1c2d.js", asset)])
        defer { server.stop() }
        let urls = [server.url + "/", server.url + "/a-3f9a1c2d.js"]
        var report = try await audit(urls)
        let text = PolicyDraft(report).text
        #expect(text.contains("/a-[hash].js"))
        let policy = try AuditPolicy.decode(text, file: "draft.yaml")
        #expect(policy.targets == urls)
        policy.judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        #expect(report.findings.isEmpty, "\(report.findings.map(\.message))\n\(text)")
    }

    struct DraftRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Paths with the fields of their responses.
        let pages: [(String, [String: String])]
        /// The rules that are written.
        let rules: [String]
        /// The fields of the same responses later, if they have changed by themselves.
        var later: [[String: String]] = []
    }

    static let draftRows = [
        DraftRow(
            testDescription: "queries of one path that caches treat differently",
            pages: [("/x", ["Cache-Control": "no-store"]), ("/x?a=1", ["Cache-Control": "max-age=60"])],
            rules: ["/x?a=1\", status: 200", "/x\", status: 200"]
        ),
        DraftRow(
            testDescription: "names that differ in the hash",
            pages: [
                ("/a-3f9a1c2d.js", ["Cache-Control": "max-age=60"]),
                ("/a-4f9a1c2d.js", ["Cache-Control": "max-age=60"]),
                ("/b-3f9a1c2d.js", ["Cache-Control": "max-age=60"]),
                ("/b-4f9a1c2d.js", ["Cache-Control": "no-store"]),
            ],
            rules: ["/a-[hash].js", "/b-3f9a1c2d.js", "/b-4f9a1c2d.js"]
        ),
        DraftRow(
            testDescription: "a guess that grows",
            pages: [("/", ["Last-Modified": "Mon, 21 Sep 2026 13:13:20 GMT"])],
            rules: ["{private: \"<= 1d\", shared: \"<= 1d\", validator: any}"],
            later: [
                ["Last-Modified": "Mon, 21 Sep 2026 13:13:20 GMT", "Date": "Tue, 22 Sep 2026 01:00:00 GMT"]
            ]
        ),
        DraftRow(
            testDescription: "a fixed date of Expires",
            pages: [("/", ["Expires": "Thu, 24 Sep 2026 14:13:20 GMT"])],
            rules: ["{private: \">= 1d\", shared: \">= 1d\", validator: none}"],
            later: [["Expires": "Thu, 24 Sep 2026 14:13:20 GMT", "Date": "Tue, 22 Sep 2026 01:00:00 GMT"]]
        ),
    ]

    @Test(
        "The first policy of a site is satisfied by that site, whatever differs between its URLs",
        arguments: draftRows
    )
    func draft(_ row: DraftRow) throws {
        var report = AuditReport()
        report.urls = row.pages.map { judged(exchange($0.0, $0.1)) }
        let text = PolicyDraft(report).text
        let written = text.split(separator: "\n").filter { $0.contains("match:") || $0.contains("expect:") }
            .joined()
        var rest = written[...]
        for rule in row.rules {
            let place = try #require(rest.firstRange(of: rule), "\(rule) in \(written)")
            rest = rest[place.upperBound...]
        }
        report.urls += zip(row.pages, row.later).map { judged(exchange($0.0, $1)) }
        try AuditPolicy.decode(text, file: "draft.yaml").judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        #expect(report.findings.filter { $0.rule == "policy" }.map(\.message).isEmpty, "\(text)")
    }

    @Test("The first policy of several sites has the host in each rule")
    func draftOfSites() throws {
        var report = AuditReport()
        report.urls = [("a.example", "max-age=60"), ("b.example:81", "no-store")].map { host, control in
            var page = exchange("/", ["Cache-Control": control])
            page.request.authority = host
            return judged(page)
        }
        let text = PolicyDraft(report).text
        #expect(text.contains("{host: \"b.example:81\", path: \"/\", status: 200}"), "\(text)")
        try AuditPolicy.decode(text, file: "draft.yaml").judge(&report, at: HTTPDate(secondsSinceEpoch: 0))
        #expect(report.findings.filter { $0.rule == "policy" }.map(\.message).isEmpty, "\(text)")
    }

    @Test("The first policy of a report without URLs is valid, and has no rules")
    func emptyDraft() throws {
        #expect(try AuditPolicy.decode(PolicyDraft(AuditReport()).text, file: "draft.yaml").rules.isEmpty)
    }

    @Test("Every built-in policy is valid", arguments: BuiltinPolicy.allCases)
    func ready(_ policy: BuiltinPolicy) throws {
        #expect(try AuditPolicy.decode(policy.text, file: policy.rawValue).rules.count > 1)
    }

    @Test("The schema has every key of a policy")
    func schema() {
        let text = PolicySchema.document.written()
        let keys =
            PolicyKey.allCases.map(\.rawValue) + PolicyRuleKey.allCases.map(\.rawValue)
            + PolicyMatchKey.allCases.map(\.rawValue) + PolicyExpectKey.allCases.map(\.rawValue)
            + PolicyIgnoreKey.allCases.map(\.rawValue)
        for key in keys { #expect(text.contains("\"\(key)\":"), "\(key)") }
    }
}
