import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Delta-seconds, RFC 9111 §1.2.2")
struct DeltaSecondsTests {
    @Test(
        "Digits are seconds, and too many of them are 2147483648",
        .checks("rfc9111.1.2.2.overflow"),
        arguments: [
            ("0", 0), ("60", 60), ("003600", 3600), ("2147483647", 2_147_483_647),
            ("2147483648", 2_147_483_648),
            ("2147483649", 2_147_483_648), ("99999999999999999999999999", 2_147_483_648),
        ] as [(String, Int64)]
    )
    func digits(text: String, seconds: Int64) {
        #expect(DeltaSeconds(parsing: text.utf8)?.seconds == seconds)
    }

    @Test(
        "Anything but digits is invalid",
        .checks("rfc9111.1.2.2.digits-only"),
        arguments: ["", "-1", "+1", "1.0", "1.5", "a100", "100a", " 1", "1 ", "'60'", "0x10", "١"]
    )
    func invalid(text: String) {
        #expect(DeltaSeconds(parsing: text.utf8) == nil)
    }
}

@Suite("Cache-Control, RFC 9111 §5.2")
struct CacheControlTests {
    @Test(
        "max-age is parsed in every form that the grammar allows",
        .checks("rfc9111.5.2.case", "rfc9111.5.2.argument-forms", "rfc9111.5.2.unknown", "rfc9111.5.2.lines"),
        arguments: [
            (["max-age=60"], 60), (["MAX-AGE=60"], 60), (["max-age=\"60\""], 60), (["max-age=\"6\\0\""], 60),
            (["public,max-age=60"], 60), ([", ,\tmax-age=60 , ,"], 60), (["public", "max-age=60"], 60),
            (["foo, bar=1, baz=\"a, max-age=1\", max-age=60"], 60), (["max-age=060"], 60),
            (["max-age=60, baz=\"max-age=1\""], 60), (["x=\"a\\\", max-age=1\", max-age=60"], 60),
        ] as [([String], Int64)]
    )
    func maxAge(lines: [String], seconds: Int64) {
        #expect(ResponseCacheControl(lines).maxAge == .seconds(seconds))
    }

    @Test(
        "An invalid max-age is present, but is not a lifetime",
        .checks("rfc9111.4.2.1.invalid"),
        arguments: [
            "max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=a100", "max-age=100a",
            "max-age='60'",
            "max-age=\"60", "max-age=\"60\"x", "max-age =60", "max-age= 60", "max-age=60 61",
            "max-age=60, max-age=x", "max-age=x, max-age=60",
        ]
    )
    func invalidMaxAge(line: String) {
        #expect(ResponseCacheControl([line]).maxAge == .invalid)
    }

    @Test(
        "Of differing values the smaller counts",
        .checks("rfc9111.4.2.1.conflict"),
        arguments: [
            (["max-age=60, max-age=600"], true), (["max-age=600", "max-age=60"], true),
            (["max-age=60"], false),
        ]
    )
    func conflict(lines: [String], conflicts: Bool) {
        let control = ResponseCacheControl(lines)
        #expect(control.maxAge == .seconds(60))
        #expect(control.hasConflict == conflicts)
    }

    @Test(
        "no-cache and private are parsed with and without field names",
        .checks("rfc9111.5.2.2.4.qualified", "rfc9111.5.2.2.7.qualified"),
        arguments: [
            ("no-cache", FieldScope.everything),
            ("no-cache=\"Set-Cookie, Foo\"", .fields(["set-cookie", "foo"])),
            ("no-cache=Foo", .fields(["foo"])), ("no-cache=\"\"", .everything),
            ("no-cache=\"a b\"", .everything),
            ("no-cache, no-cache=\"Foo\"", .everything),
            ("no-cache=\"Foo\", no-cache=\"Bar\"", .fields(["foo", "bar"])),
            ("public", .nothing),
        ]
    )
    func scopes(line: String, scope: FieldScope) {
        #expect(ResponseCacheControl([line]).noCache == scope)
        let asPrivate = line.split(separator: "no-cache", omittingEmptySubsequences: false).joined(
            separator: "private"
        )
        #expect(ResponseCacheControl([asPrivate]).privateScope == scope)
    }

    @Test("Every response directive without a number is parsed")
    func flags() {
        let control = ResponseCacheControl([
            "public, no-store, no-transform, must-revalidate", "proxy-revalidate, must-understand, immutable",
        ])
        #expect(control.isPublic && control.noStore && control.noTransform && control.mustRevalidate)
        #expect(control.proxyRevalidate && control.mustUnderstand && control.isImmutable)
        #expect(ResponseCacheControl(["no-stored, xpublic"]) == ResponseCacheControl())
    }

    @Test("Every request directive is parsed")
    func requestDirectives() {
        let control = RequestCacheControl([
            "max-age=1, max-stale=2, min-fresh=3, stale-if-error=4",
            "no-cache, no-store, no-transform, only-if-cached",
        ])
        #expect(control.maxAge == 1)
        #expect(control.maxStale == .atMost(2))
        #expect(control.minFresh == 3)
        #expect(control.staleIfError == 4)
        #expect(control.noCache && control.noStore && control.noTransform && control.onlyIfCached)
    }

    @Test(
        "max-stale without an argument is any staleness, and an invalid one is none",
        arguments: [
            ("max-stale", RequestCacheControl.Staleness.any), ("max-stale=5", .atMost(5)),
            ("max-stale=x", nil),
            ("max-stale, max-stale=5", .atMost(5)), ("max-stale=5, max-stale", .atMost(5)),
            ("max-stale=7, max-stale=5", .atMost(5)),
        ] as [(String, RequestCacheControl.Staleness?)]
    )
    func maxStale(line: String, staleness: RequestCacheControl.Staleness?) {
        #expect(RequestCacheControl([line]).maxStale == staleness)
    }
}

@Suite("Entity tags, RFC 9110 §8.8.3")
struct EntityTagTests {
    @Test(
        "Strong comparison needs two strong tags, weak comparison does not",
        .checks("rfc9110.8.8.3.2.strong", "rfc9110.8.8.3.2.weak"),
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
            ("\"a\"", "\"A\"", false, false),
        ]
    )
    func comparison(left: String, right: String, strongly: Bool, weakly: Bool) throws {
        let left = try #require(EntityTag(parsing: left))
        let right = try #require(EntityTag(parsing: right))
        #expect(left.matchesStrongly(right) == strongly)
        #expect(left.matchesWeakly(right) == weakly)
    }

    @Test(
        "A tag is sent as it was received",
        .checks("rfc9111.4.3.1.entity-tag"),
        arguments: ["\"v1\"", "W/\"v1\"", "\"\"", "\"a,b\"", "v1", "\"é\""]
    )
    func text(text: String) {
        #expect(EntityTag(parsing: text)?.text == text)
    }

    @Test(
        "A malformed tag is rejected",
        arguments: ["", "\"", "\"a", "a\"", "w/\"a\"", "W/a\"", "W/", "\"a\"b\"", "*", "a b", "\"a b\""]
    )
    func junk(text: String) {
        #expect(EntityTag(parsing: text)?.text == nil)
    }

    @Test("Tags are equal only if their bytes are, whatever text those are")
    func bytes() {
        // Unicode treats the second and third as equal, and replacing invalid bytes would make the last two equal.
        let tags =
            ["ü", "\u{E9}", "e\u{301}"].map { Array("\"\($0)\"".utf8) } + [
                [0x22, 0xFC, 0x22], [0x22, 0xFD, 0x22],
            ]
        for (row, left) in tags.enumerated() {
            for (column, right) in tags.enumerated() {
                let (left, right) = (
                    EntityTag(isWeak: false, opaque: left), EntityTag(isWeak: true, opaque: right)
                )
                #expect(left.matchesWeakly(right) == (row == column))
            }
        }
    }

    @Test("A list is parsed over all lines, including commas in quotes")
    func list() {
        let tags = EntityTag.list(["\"a\", W/\"b\"", ", \"c,d\" ,"])
        #expect(tags.map(\.text) == ["\"a\"", "W/\"b\"", "\"c,d\""])
    }
}
