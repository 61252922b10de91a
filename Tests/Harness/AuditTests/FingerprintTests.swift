import Testing

@testable import Audit

@Suite("Names that change with their content")
struct FingerprintTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let target: String
        let isUnique: Bool
        var testDescription: String { target }
    }

    static let rows: [Row] = [
        Row(target: "/assets/app-3f9a1c2d.js", isUnique: true),
        Row(target: "/assets/index-DdEFfGhI.js", isUnique: true),
        Row(target: "/static/main.8d1c2f3b4a.css", isUnique: true),
        Row(target: "/lib/jquery-3.7.1.min.js", isUnique: true),
        Row(target: "/v12/data.json", isUnique: true),
        Row(target: "/v1.2.3/app.js", isUnique: true),
        Row(target: "/app.v12.js", isUnique: true),
        Row(target: "/lib-v2/app.js", isUnique: true),
        Row(target: "/app.js?v=12", isUnique: true),
        Row(target: "/app.js?d41d8cd98f", isUnique: true),
        Row(target: "/", isUnique: false),
        Row(target: "/app.js", isUnique: false),
        Row(target: "/video.js", isUnique: false),
        Row(target: "/v/app.js", isUnique: false),
        Row(target: "/static/3f9a1c2d4b5e6f70/app.js", isUnique: false),
        Row(target: "/documentation.html", isUnique: false),
        Row(target: "/myComponentList.js", isUnique: false),
        Row(target: "/search?q=shoes", isUnique: false),
    ]

    @Test("A hash, a version or a version parameter makes a name unique", arguments: rows)
    func unique(_ row: Row) {
        #expect(Fingerprint.isIn(row.target) == row.isUnique)
    }

    @Test(
        "immutable suits a file in a folder whose name is a hash, but not in one that may be the number of a user",
        arguments: [
            ("/static/3f9a1c2d4b5e6f70/app.js", true), ("/users/20261129/photo.jpg", false),
            ("/static/1234567890123456/app.js", false), ("/app.js", false), ("/app-3f9a1c2d.js", true),
            ("/static/app.js?name=3f9a1c2d4b5e6f70/x", false),
        ]
    )
    func folders(path: String, isUnique: Bool) {
        let file = exchange(path, ["Cache-Control": "max-age=31536000, immutable", "ETag": "\"v1\""])
        #expect(!judged(file).findings.contains { $0.rule == "immutable-name" } == isUnique)
    }
}
