import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Preferences as selecting fields, RFC 9111 §4.1")
struct PreferenceTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let first: String
        let second: String
        let matches: Bool
        var testDescription: String { "\(name): '\(first)' and '\(second)'" }

        init(_ name: String, _ first: String, _ second: String, _ matches: Bool) {
            self.name = name
            self.first = first
            self.second = second
            self.matches = matches
        }
    }

    static let rows = [
        Row("Accept-Language", "en, de", "de, en", false),
        Row("Accept-Language", "en, de", "eN, De", true),
        Row("Accept-Language", "en, de", " en ,   de", true),
        Row("Accept-Language", "en,,de,", "en, de", true),
        Row("Accept-Language", "en, en, de", "en, de", true),
        Row("Accept-Language", "en;q=1", "en", true),
        Row("Accept-Language", "en;q=1.", "en", true),
        Row("Accept-Language", "en;q=0.5", "en;q=0.50", true),
        Row("Accept-Language", "en ; q=0.5", "en;Q=0.500", true),
        Row("Accept-Language", "en;q=0.5, de", "de, en;q=0.5", false),
        Row("Accept-Language", "en;q=0.5, de", "de;q=0.5, en", false),
        Row("Accept-Language", "en;q=0.501", "en;q=0.502", false),
        Row("Accept-Language", "en", "en, de;q=0", false),
        Row("Accept-Language", "en;q=0", "en", false),
        Row("Accept-Language", "en", "en-GB", false),
        Row("Accept-Language", "*, en;q=0.5", "en;q=0.5,*", false),
        Row("Accept-Language", "en;q=1.001, de", "de, en;q=1.001", false),
        Row("Accept-Language", "en;q=0.5555, de", "de, en;q=0.5555", false),
        Row("Accept-Language", "en;q=-1, de", "de, en;q=-1", false),
        Row("Accept-Language", "en;q=, de", "de, en;q=", false),
        Row("Accept-Encoding", "br;;q=0.5", "br;q=0.5", false),
        Row("Accept-Language", "en;level=1, de", "de, en;level=1", false),
        Row("Accept-Encoding", "gzip, br", "br, gzip", true),
        Row("Accept-Encoding", "gzip, identity;q=0", "gzip", false),
        Row("Accept-Encoding", "gzip;q=0.0", "gzip;q=0", true),
        Row("Accept-Charset", "utf-8, iso-8859-1;q=0.5", "ISO-8859-1;q=0.5, UTF-8", true),
        Row("Accept", "text/html, text/plain", "text/plain, text/html", false),
        Row("Foo", "a, b", "b, a", false),
        Row("Foo", "a", "A", false),
        Row("Foo", "a,b", " a,b ", true),
        Row("Foo", "a,b", "a, b", false),
        Row("Foo", ",a", "a", false),
        Row("Foo", "a,,b", "a,b", false),
        Row("Cookie", "sid=a,b", "sid=a,,b", false),
        Row("Cookie", "sid=a,b", "sid=a, b", false),
        Row("Referer", "/?a,b", "/?a,,b", false),
        Row("User-Agent", "Mozilla (a, b)", "Mozilla (a,,b),", false),
        Row("Origin", "https://a.example", "https://A.example", false),
        Row("Accept", "text/html,text/plain", "text/html , text/plain,", true),
        Row("Cache-Control", "a,b", "a, b", true),
    ]

    @Test(
        "The order of up to 100 codings does not matter; of more it does",
        arguments: [(100, true), (101, false)]
    )
    func many(count: Int, matches: Bool) {
        let codings = (0..<count).map { "x\($0)" }
        let entry = stored(
            "Cache-Control: max-age=60",
            "Vary: Accept-Encoding",
            asked: request("Accept-Encoding: \(codings.joined(separator: ", "))")
        )
        let reversed = request("Accept-Encoding: \(codings.reversed().joined(separator: ", "))")
        #expect((CacheEngine().plan(reversed, [entry], at: 1).reuse != nil) == matches)
    }

    @Test(
        "Spellings of the same preferences select the same stored response",
        .checks("rfc9111.4.1.preferences", "rfc9111.4.1.quality", "rfc9111.4.1.whitespace"),
        arguments: rows
    )
    func spellings(row: Row) {
        let entry = stored(
            "Cache-Control: max-age=60",
            "Vary: \(row.name)",
            asked: request("\(row.name): \(row.first)")
        )
        let planned = CacheEngine().plan(request("\(row.name): \(row.second)"), [entry], at: 1)
        #expect((planned.reuse != nil) == row.matches)
    }

    @Test(
        "The order of Accept-Language is ignored only with the option",
        arguments: [
            ("en, de", "de, en", true), ("en;q=0.5, de", "de, en;q=0.5", true),
            ("en, de", "en;q=0.5, de", false),
            ("en, de", "en", false),
        ]
    )
    func languageOrder(first: String, second: String, matches: Bool) {
        let entry = stored(
            "Cache-Control: max-age=60",
            "Vary: Accept-Language",
            asked: request("Accept-Language: \(first)")
        )
        let engine = CacheEngine(deviations: .languageOrder)
        let asking = request("Accept-Language: \(second)")
        #expect((engine.plan(asking, [entry], at: 1).reuse != nil) == matches)
        #expect(engine.differences(of: asking, from: entry)?.isEmpty == matches)
        #expect(CacheEngine().plan(asking, [entry], at: 1).reuse == nil)
    }

    @Test(
        "Lines of Cookie select what one line with semicolons selects, and nothing else (RFC 9113 §8.2.3)",
        arguments: [("a=1; b=2", true), ("a=1, b=2", false), ("a=1;b=2", false), ("b=2; a=1", false)]
    )
    func cookies(line: String, isSame: Bool) {
        let vary = Vary(of: [.vary: "Cookie"])
        let lines = HTTPFields(["a=1", "b=2"].map { HTTPField(name: .cookie, value: $0) })
        #expect((vary.variant(of: lines) == vary.variant(of: [.cookie: line])) == isSame)
    }

    @Test("Spellings of the same preferences are one variant, so the newer replaces the older")
    func variant() {
        let vary = Vary(["Accept-Language"])
        let first = vary.variant(of: request("Accept-Language: en;q=0.50, de").headerFields)
        let second = vary.variant(of: request("Accept-Language: EN;q=0.5,de").headerFields)
        #expect(first == second)
    }

    @Test(
        "The language of highest quality is chosen only with the deviation, and the finding reports it",
        .checks("rfc9111.4.1.content-language")
    )
    func language() {
        let entry = stored(
            "Cache-Control: max-age=60",
            "Vary: Accept-Language",
            "Content-Language: de",
            asked: request("Accept-Language: en, de")
        )
        let asking = request("Accept-Language: fr;q=0.5, de;q=1.0")
        let engine = CacheEngine(deviations: .contentLanguage)
        #expect(Outcome(engine.plan(asking, [entry], at: 1)) == .fresh(age: 1))
        let finding = engine.plan(asking, [entry], at: 1).findings.first { $0.rule == .languageChosen }
        #expect(finding?.detail == "deviation from §4.1, first choice de")
        #expect(CacheEngine().plan(asking, [entry], at: 1).reuse == nil)
        #expect(engine.plan(request("Accept-Language: fr, de;q=0.5"), [entry], at: 1).reuse == nil)
    }
}
