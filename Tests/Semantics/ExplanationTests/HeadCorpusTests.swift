import CacheSemantics
import CLibrary
import Explanation
import Testing
import TestSupport

/// Heads as servers send them, each with the advice that its author should get.
struct HeadRow: CustomTestStringConvertible {
    let name: String
    let kind: CacheKind
    let isStorable: Bool
    let lifetime: Int64?
    let source: LifetimeTerms.Source?
    let advice: Set<String>

    var testDescription: String { "\(name), \(kind.rawValue)" }

    init(
        _ name: String,
        _ kind: CacheKind = .private,
        stored lifetime: Int64?,
        _ source: LifetimeTerms.Source?,
        _ advice: String...
    ) {
        self.name = name
        self.kind = kind
        isStorable = lifetime != nil
        self.lifetime = lifetime
        self.source = source
        self.advice = Set(advice)
    }
}

@Suite("Advice for the author of a response, RFC 9111")
struct HeadCorpusTests {
    static let rows = [
        HeadRow("static-asset", stored: 31_536_000, .maxAge),
        HeadRow("front-page", stored: 0, .maxAge),
        HeadRow("framework-default", stored: nil, nil, "pragma-in-response"),
        HeadRow("old-web-server", stored: 86_400, .heuristic, "heuristic-lifetime"),
        // A private response is stored for its user alone (§5.2.2.7), whose credentials scatter nothing.
        HeadRow("api-json", stored: 60, .maxAge),
        HeadRow("api-json", .shared, stored: nil, nil),
        HeadRow("api-public-token", .shared, stored: 60, .maxAge, "public-with-authorization"),
        HeadRow("cdn-html", stored: 60, .maxAge),
        HeadRow("cdn-html", .shared, stored: 600, .sharedMaxAge, "s-maxage-and-stale"),
        HeadRow("arrives-stale", stored: 300, .maxAge, "arrives-stale"),
        HeadRow("expires-zero", stored: 0, .invalid, "expires-is-no-date"),
        HeadRow("local-time-expires", stored: 0, .invalid, "unreadable-date"),
        HeadRow("obsolete-date", stored: 3_600, .expires, "obsolete-date"),
        HeadRow("future-modified", stored: 60, .maxAge, "modified-in-future"),
        HeadRow("vary-star", stored: 60, .maxAge, "vary-star"),
        HeadRow("vary-user-agent", stored: 600, .maxAge, "vary-scatters"),
        HeadRow("vary-many", stored: 600, .maxAge, "vary-many"),
        HeadRow("gzip-without-vary", stored: 3_600, .maxAge, "coding-without-vary"),
        HeadRow("public-and-private", stored: 60, .maxAge, "public-and-private"),
        HeadRow("public-and-private", .shared, stored: nil, nil, "public-and-private"),
        HeadRow("private-for-cdn", stored: 10, .maxAge, "private-and-s-maxage"),
        HeadRow("two-max-ages", stored: 0, .maxAge, "repeated-directive"),
        HeadRow("misspelt", stored: 0, LifetimeTerms.Source.none, "misspelt-directive", "no-lifetime"),
        HeadRow("broken-list", stored: 8_640, .heuristic, "broken-directive", "heuristic-lifetime"),
        HeadRow("unit-in-max-age", stored: 0, .invalid, "invalid-seconds"),
        HeadRow("hopeless-stale", stored: 60, .maxAge, "must-revalidate-and-stale"),
        HeadRow("shared-cookie", .shared, stored: 600, .maxAge, "shared-cookie"),
        HeadRow("bare", stored: 0, LifetimeTerms.Source.none, "no-date", "no-validator", "no-lifetime"),
        HeadRow("unquoted-etag", stored: 60, .maxAge, "unquoted-etag"),
        HeadRow("weak-download", stored: 86_400, .maxAge, "weak-etag-and-ranges"),
        HeadRow("short-immutable", stored: 60, .maxAge, "immutable-but-short"),
        HeadRow("two-lifetimes", stored: 60, .maxAge, "expires-and-max-age"),
        HeadRow("negative-age", stored: 60, .maxAge, "invalid-age"),
        HeadRow("client-directive", stored: 60, .maxAge, "request-directive", "obsolete-directive"),
        HeadRow("expired-at-once", stored: 0, .expires, "expired-at-once"),
        HeadRow("redirect", stored: 0, LifetimeTerms.Source.none, "no-lifetime"),
    ]

    @Test("Heads as servers send them get the necessary advice and no other", arguments: rows)
    func advice(row: HeadRow) throws {
        let explanation = ExchangeExplanation(try exchange(row.name, row.kind))
        #expect(explanation.isStorable == row.isStorable)
        #expect(explanation.lifetime?.seconds == row.lifetime)
        #expect(explanation.lifetime?.source == row.source)
        #expect(Set(explanation.advice.map(\.id)) == row.advice)
    }

    @Test("Every statement and every advice names a section", arguments: rows)
    func sections(row: HeadRow) throws {
        let explanation = ExchangeExplanation(try exchange(row.name, row.kind))
        let sections = explanation.statements.map(\.section) + explanation.advice.map(\.section)
        #expect(!sections.isEmpty)
        #expect(sections.allSatisfy { $0.hasPrefix("RFC ") && $0.contains("§") })
    }

    @Test("Every head of the corpus has a row")
    func complete() {
        let names = Set(Self.rows.map(\.name))
        #expect(Set(Corpus.names) == names)
    }

    private func exchange(_ name: String, _ kind: CacheKind) throws -> ExplainedExchange {
        let text = try #require(Corpus.text("\(name).txt"))
        let parts = try #require(RawHead.exchanges(in: text).first)
        let request = try RawHead.request(try #require(parts.request), file: name)
        let response = try RawHead.response(parts.response, file: name)
        // 2026-01-01T12:00:00Z, the Date of all heads.
        let received = HTTPDate(secondsSinceEpoch: 1_767_268_800)
        var exchange = ExplainedExchange(request: request, response: response, at: received)
        exchange.engine.kind = kind
        return exchange
    }
}

/// The files of `fixtures/heads`.
enum Corpus {
    private static let folder = packageFolder + "/fixtures/heads"

    static func text(_ name: String) -> String? {
        guard let file = fopen("\(folder)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    static var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = entry.name
            if name.hasSuffix(".txt") { names.append(String(name.dropLast(4))) }
        }
        return names
    }
}
