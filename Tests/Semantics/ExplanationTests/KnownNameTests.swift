import Testing

@testable import Explanation

@Suite("Directives that are almost spelt like one that caches obey, RFC 9111 §5.2")
struct KnownNameTests {
    @Test(
        "A name that differs in hyphens or a letter is misspelt, and so are usual longer mistakes",
        arguments: [
            ("maxage", "max-age"), ("max_age", "max-age"), ("mas-age", "max-age"), ("max-ages", "max-age"),
            ("s-max-age", "s-maxage"), ("smaxage", "s-maxage"), ("s-maxage-age", "s-maxage"),
            ("nocache", "no-cache"), ("no-chache", "no-cache"), ("no-cahce", "no-cache"),
            ("nostore", "no-store"), ("no_store", "no-store"), ("privat", "private"), ("publc", "public"),
            ("must-revalidat", "must-revalidate"), ("mustrevalidate", "must-revalidate"),
            ("must-revalidation", "must-revalidate"), ("revalidate", "must-revalidate"),
            ("proxyrevalidate", "proxy-revalidate"), ("stale-if-eror", "stale-if-error"),
            ("stale-while-revalidation", "stale-while-revalidate"),
            ("stale-while-revaldate", "stale-while-revalidate"), ("immutible", "immutable"),
        ]
    )
    func misspelt(name: String, meant: String) {
        #expect(KnownName.directive(like: name) == meant)
    }

    @Test(
        "Directives, extensions and what is no name are not misspelt",
        arguments: KnownName.directives + [
            "max-stale", "min-fresh", "only-if-cached", "pre-check", "post-check", "community", "ext", "no",
            "max",
            "no-cookies", "x-private", "min-vers", "max-age: 60", "no-cache;", "\"no-cache\"", "",
        ]
    )
    func others(name: String) {
        #expect(KnownName.directive(like: name) == nil)
    }
}
