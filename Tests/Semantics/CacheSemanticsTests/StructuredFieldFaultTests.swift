import CacheSemantics
import HTTPTypes
import Testing

@Suite("Errors in structured fields, RFC 9651")
struct StructuredFieldFaultTests {
    private static func integer(_ name: String) -> [StructuredFieldFault] {
        [.mistyped(member: name, expected: "an integer")]
    }

    private static func noValue(_ name: String) -> [StructuredFieldFault] {
        [.mistyped(member: name, expected: "no value")]
    }

    private static func names(_ name: String) -> [StructuredFieldFault] {
        [.mistyped(member: name, expected: "no value, or a string of field names")]
    }

    @Test(
        "A directive of a targeted field has the type of its argument, RFC 9213 §2.1",
        arguments: [
            ("max-age=60", []), ("max-age=60;a=b", []), ("max-age", integer("max-age")),
            ("max-age=60.0", integer("max-age")), ("s-maxage=60", []),
            ("s-maxage=\"60\"", integer("s-maxage")),
            ("stale-while-revalidate=60", []),
            ("stale-while-revalidate=?1", integer("stale-while-revalidate")),
            ("stale-if-error=60", []), ("stale-if-error=a", integer("stale-if-error")),
            ("no-cache", []), ("no-cache=\"a\"", []), ("no-cache=?0", names("no-cache")),
            ("private", []), ("private=\"a\"", []), ("private=?0", names("private")),
            ("no-store", []), ("no-store=1", noValue("no-store")), ("no-store=?0", noValue("no-store")),
            ("must-revalidate", []), ("must-revalidate=1", noValue("must-revalidate")),
            ("proxy-revalidate", []), ("proxy-revalidate=1", noValue("proxy-revalidate")),
            ("must-understand", []), ("must-understand=1", noValue("must-understand")),
            ("no-transform", []), ("no-transform=1", noValue("no-transform")),
            ("public", []), ("public=1", noValue("public")), ("immutable", []),
            ("immutable=1", noValue("immutable")),
            ("other=1", []), ("max-age=", [.unparsable]), ("MAX-AGE=60", [.unparsable]),
            ("max-age=a, s-maxage=b", integer("max-age") + integer("s-maxage")),
        ] as [(String, [StructuredFieldFault])]
    )
    func targeted(value: String, faults: [StructuredFieldFault]) {
        #expect(fields(["CDN-Cache-Control: \(value)"]).faults(ofTargeted: .cdnCacheControl) == faults)
    }

    @Test(
        "Groups are strings, RFC 9875 §2",
        arguments: [
            ("\"a\", \"b\"", []), ("a", [.mistyped(member: "Cache-Groups", expected: "strings in quotes")]),
            ("\"a\", 1", [.mistyped(member: "Cache-Groups", expected: "strings in quotes")]),
            ("\"a", [.unparsable]),
        ] as [(String, [StructuredFieldFault])]
    )
    func groups(value: String, faults: [StructuredFieldFault]) {
        #expect(fields(["Cache-Groups: \(value)"]).faults(ofGroups: .cacheGroups) == faults)
    }

    // Explanations advise against the Boolean params of earlier drafts apart.
    @Test(
        "No-Vary-Search has a Boolean and lists of strings",
        arguments: [
            ("key-order, params=(\"a\"), except=(\"b\")", []), ("key-order=?0, params", []),
            ("key-order=1", [.mistyped(member: "key-order", expected: "a Boolean")]),
            ("params=1", [.mistyped(member: "params", expected: "a list of strings")]),
            ("except", [.mistyped(member: "except", expected: "a list of strings")]), ("other=1", []),
            ("params=(", [.unparsable]),
        ] as [(String, [StructuredFieldFault])]
    )
    func noVarySearch(value: String, faults: [StructuredFieldFault]) {
        #expect(fields(["No-Vary-Search: \(value)"]).faultsOfNoVarySearch == faults)
    }

    @Test(
        "Use-As-Dictionary needs a match, RFC 9842 §2.1",
        arguments: [
            ("match=\"/a\", match-dest=(\"script\"), id=\"1\", type=raw", []), ("match=\"/a\", other=1", []),
            ("match=a", [.mistyped(member: "match", expected: "a string")]),
            ("match=\"/a\", id=1", [.mistyped(member: "id", expected: "a string")]),
            (
                "match=\"/a\", match-dest=\"script\"",
                [
                    .mistyped(member: "match-dest", expected: "a list of strings")
                ]
            ),
            ("match=\"/a\", type=\"raw\"", [.mistyped(member: "type", expected: "a token")]),
            ("id=\"1\"", [.missing(member: "match")]), ("match=", [.unparsable]),
            ("id=1", [.mistyped(member: "id", expected: "a string")]),
        ] as [(String, [StructuredFieldFault])]
    )
    func dictionary(value: String, faults: [StructuredFieldFault]) {
        #expect(fields(["Use-As-Dictionary: \(value)"]).faultsOfUseAsDictionary == faults)
    }

    @Test(
        "Accept-Query lists media ranges, RFC 10008 §3",
        arguments: [
            ("\"a/b\", c/d", []), ("1", [.mistyped(member: "Accept-Query", expected: "media ranges")]),
            ("c/d, ?1", [.mistyped(member: "Accept-Query", expected: "media ranges")]),
            ("\"a", [.unparsable]),
        ] as [(String, [StructuredFieldFault])]
    )
    func acceptQuery(value: String, faults: [StructuredFieldFault]) {
        #expect(fields(["Accept-Query: \(value)"]).faultsOfAcceptQuery == faults)
    }

    @Test(
        "A digest is a byte sequence, RFC 9530 §2",
        arguments: [
            ("sha-256=:YWJj:", []), ("sha-256=:YWJj:, a=:YQ==:", []), ("sha-256=:YWJj", [.unparsable]),
            ("sha-256=\"YWJj\"", [.mistyped(member: "sha-256", expected: "a digest between colons")]),
        ] as [(String, [StructuredFieldFault])]
    )
    func digests(value: String, faults: [StructuredFieldFault]) {
        #expect(fields(["Content-Digest: \(value)"]).faults(ofDigests: .contentDigest) == faults)
    }

    @Test("A field that is absent has no errors")
    func absent() {
        let none = HTTPFields()
        #expect(none.faults(ofTargeted: .cdnCacheControl).isEmpty)
        #expect(none.faults(ofGroups: .cacheGroups).isEmpty)
        #expect(none.faultsOfNoVarySearch.isEmpty && none.faultsOfUseAsDictionary.isEmpty)
        #expect(none.faultsOfAcceptQuery.isEmpty && none.faultsOfIncremental.isEmpty)
        #expect(none.faults(ofDigests: .contentDigest).isEmpty)
    }
}
