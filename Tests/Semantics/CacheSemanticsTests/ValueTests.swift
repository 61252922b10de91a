import HTTPTypes
import TestSupport
import Testing

@testable import CacheSemantics

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
        "Of differing windows and shared lifetimes the smaller counts",
        arguments: [
            ("s-maxage=60, s-maxage=600", SecondsArgument.seconds(60), nil, nil, true),
            ("s-maxage=600, s-maxage=60", .seconds(60), nil, nil, true),
            ("s-maxage=60, s-maxage=60", .seconds(60), nil, nil, false),
            ("s-maxage=60, s-maxage=x", .invalid, nil, nil, true),
            ("s-maxage=60, s-maxage=600, max-age=1", .seconds(60), nil, nil, true),
            ("stale-while-revalidate=5, stale-while-revalidate=3", nil, 3, nil, false),
            ("stale-while-revalidate=3, stale-while-revalidate=5", nil, 3, nil, false),
            ("stale-if-error=5, stale-if-error=3, stale-if-error=x", nil, nil, 3, false),
            ("stale-if-error=3, stale-if-error=5", nil, nil, 3, false),
        ] as [(String, SecondsArgument?, Int64?, Int64?, Bool)]
    )
    func windows(
        line: String,
        sharedMaxAge: SecondsArgument?,
        whileRevalidate: Int64?,
        ifError: Int64?,
        conflicts: Bool
    ) {
        let control = ResponseCacheControl([line])
        #expect(control.sharedMaxAge == sharedMaxAge)
        #expect(control.staleWhileRevalidate == whileRevalidate)
        #expect(control.staleIfError == ifError)
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

    @Test(
        "A response directive without a number is what its name says, and nothing else",
        arguments: [
            "no-store", "no-transform", "must-revalidate", "proxy-revalidate", "must-understand", "public",
            "immutable",
        ]
    )
    func oneDirective(name: String) {
        let control = ResponseCacheControl([name])
        let flags = [
            ("no-store", control.noStore), ("no-transform", control.noTransform),
            ("must-revalidate", control.mustRevalidate), ("proxy-revalidate", control.proxyRevalidate),
            ("must-understand", control.mustUnderstand), ("public", control.isPublic),
            ("immutable", control.isImmutable), ("a conflict", control.hasConflict),
        ]
        #expect(flags.filter(\.1).map(\.0) == [name])
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
        "Of the values of a repeated request directive the most restrictive counts, and an invalid max-age is 0",
        arguments: [
            ("max-age=5, max-age=3", 3, nil, nil), ("max-age=3, max-age=5", 3, nil, nil),
            ("max-age=x", 0, nil, nil), ("max-age=x, max-age=5", 0, nil, nil),
            ("min-fresh=3, min-fresh=5", nil, 5, nil), ("min-fresh=5, min-fresh=3", nil, 5, nil),
            ("min-fresh=x, min-fresh=3, min-fresh=y", nil, 3, nil),
            ("stale-if-error=5, stale-if-error=3", nil, nil, 3),
            ("stale-if-error=3, stale-if-error=5", nil, nil, 3),
            ("stale-if-error=x, stale-if-error=5, stale-if-error=y", nil, nil, 5),
        ] as [(String, Int64?, Int64?, Int64?)]
    )
    func repeatedRequestDirectives(line: String, maxAge: Int64?, minFresh: Int64?, staleIfError: Int64?) {
        let control = RequestCacheControl([line])
        #expect(control.maxAge == maxAge)
        #expect(control.minFresh == minFresh)
        #expect(control.staleIfError == staleIfError)
    }

    @Test(
        "max-stale without an argument is any staleness, and an invalid one is none",
        arguments: [
            ("max-stale", RequestCacheControl.Staleness.any), ("max-stale=5", .atMost(5)),
            ("max-stale=x", nil),
            ("max-stale, max-stale=5", .atMost(5)), ("max-stale=5, max-stale", .atMost(5)),
            ("max-stale=7, max-stale=5", .atMost(5)), ("max-stale=5, max-stale=7", .atMost(5)),
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

@Suite("Classes of bytes, RFC 9110 §5.6.2")
struct ByteClassTests {
    private static let digits = Set("0123456789".utf8)
    private static let upper = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    private static let lower = Set("abcdefghijklmnopqrstuvwxyz".utf8)

    @Test("Each byte is in the classes to which the grammar assigns it", arguments: UInt8.min...UInt8.max)
    func classes(byte: UInt8) {
        let isLetter = Self.upper.contains(byte) || Self.lower.contains(byte)
        let isDigit = Self.digits.contains(byte)
        #expect(ASCII.isDigit(byte) == isDigit)
        #expect(ASCII.isLetter(byte) == isLetter)
        #expect(ASCII.isTokenByte(byte) == (isDigit || isLetter || "!#$%&'*+-.^_`|~".utf8.contains(byte)))
        #expect(ASCII.isOptionalWhitespace(byte) == " \t".utf8.contains(byte))
        #expect(ASCII.lowercased(byte) == (Self.upper.contains(byte) ? byte + 32 : byte))
        #expect(ASCII.uppercased(byte) == (Self.lower.contains(byte) ? byte - 32 : byte))
        let digit = Array("0123456789abcdef".utf8).firstIndex(of: ASCII.lowercased(byte))
        #expect(ASCII.hexValue(byte).map(Int.init) == digit)
    }
}

@Suite("Numbers of bytes")
struct ByteCountTests {
    @Test(
        "They are never negative and never trap",
        arguments: [
            (ByteCount.kibibytes(2), 2_048), (.mebibytes(1), 1_048_576), (.gibibytes(1), 1_073_741_824),
            (.bytes(-1), 0), (.mebibytes(-5), 0), (.gibibytes(.max), Int.max), (.bytes(7), 7),
        ]
    )
    func counts(count: ByteCount, bytes: Int) {
        #expect(count.bytes == bytes)
    }

    @Test("A number is less than larger ones only")
    func order() {
        #expect(ByteCount.bytes(1) < .bytes(2))
        #expect(!(ByteCount.bytes(2) < .bytes(2)))
        #expect(!(ByteCount.bytes(3) < .bytes(2)))
    }

    @Test(
        "They are written in the largest unit in which they are whole",
        arguments: [
            (0, "0 bytes"), (1_023, "1023 bytes"), (1_024, "1 KiB"), (1_025, "1025 bytes"), (2_048, "2 KiB"),
            (1_048_576, "1 MiB"), (1_049_600, "1025 KiB"), (20_971_520, "20 MiB"), (1_073_741_824, "1 GiB"),
            (3_221_225_472, "3 GiB"),
        ]
    )
    func written(bytes: Int, text: String) {
        #expect(ByteCount.bytes(bytes).description == text)
    }
}
