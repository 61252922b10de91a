@testable import CacheSemantics
import HTTPTypes
import Testing
import TestSupport

@Suite("Content and credentials in keys")
struct KeyPartsTests {
    @Test(
        "The digest of content and its fields is SHA-256, 64 hexadecimal digits",
        .checks("rfc10008.2.7.key"),
        arguments: [
            ("", "", "cbc4840c6ef5ba8972dcf06ea3cabd7a8b18fb3967c033a2424006cbe1791ff3"),
            ("abc", "text/plain", "c7fa94a800f1093f80704aa0da45ca79c639bad64e705e26beb97a9271018d94"),
            (
                String(repeating: "a", count: 1000), "",
                "8ed957b200510f32a5251c96d541b8307b3370fba47b2dbe4c7ddd66f927b35c"
            ),
        ]
    )
    func digest(content: String, type: String, expected: String) {
        let fields = type.isEmpty ? HTTPFields() : [.contentType: type]
        #expect(ContentDigest.text(of: Array(content.utf8), fields) == "q:" + expected)
    }

    private static func digest(contentType: [UInt8]) -> String {
        ContentDigest.text(
            of: Array("a".utf8),
            HTTPFields([HTTPField(name: .contentType, value: contentType)])
        )
    }

    @Test(
        "Content and each field of its metadata result in a different key",
        .checks("rfc10008.2.7.key")
    )
    func parts() {
        let digests = [
            ContentDigest.text(of: Array("a".utf8), [:]), ContentDigest.text(of: Array("b".utf8), [:]),
            ContentDigest.text(of: Array("a".utf8), [.contentType: "text/plain"]),
            Self.digest(contentType: Array("text/x;name=".utf8) + [0xE8]),
            Self.digest(contentType: Array("text/x;name=".utf8) + [0xE9]),
            Self.digest(contentType: Array("text/x;name=\u{E9}".utf8)),
            Self.digest(contentType: Array("text/x;name=e\u{301}".utf8)),
            ContentDigest.text(of: Array("a".utf8), [.contentEncoding: "text/plain"]),
            ContentDigest.text(of: Array("a".utf8), [.contentLanguage: "text/plain"]),
            ContentDigest.text(of: Array("a".utf8), [.contentLocation: "text/plain"]),
            ContentDigest.text(of: Array("a".utf8), [.contentType: ""]),
            ContentDigest.text(of: Array("text/plaina".utf8), [:]),
        ]
        #expect(Set(digests).count == digests.count)
    }

    @Test(
        "The key of a plan is the request's, whatever key the stored responses have",
        arguments: [
            "a.test|/x", "a.test|/xy", "a.test|/", "a.tes|t/x", "a.test:80|/x", "A.test|/x", "b.test|/x",
            "a.test:0080|/x", "a.test:08|/x", "a.test:|/x", "a.test:0|/x", "%61.te%53t|/x", "a%2Ftest|/x",
            "127.1|/x", "127.0.0.1|/x", "0x7f.1:80|/x", "127.0.0.01:8080|/x",
        ]
    )
    func ownKey(parts: String) throws {
        let engine = CacheEngine()
        let place = parts.split(separator: "|").map(String.init)
        let stored = StoredResponse(
            key: CacheKey(targetURI: "http://a.test/x"),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=60"]),
            requestTime: HTTPDate(secondsSinceEpoch: 0),
            responseTime: HTTPDate(secondsSinceEpoch: 0)
        )
        let asked = HTTPRequest(method: .get, scheme: "http", authority: place[0], path: place[1])
        let planned = engine.plan(
            asked,
            policy: .useProtocolCachePolicy,
            stored: [stored],
            now: HTTPDate(secondsSinceEpoch: 1)
        )
        #expect(planned.key == engine.key(for: asked))
        let equal = [
            "a.test|/x", "a.test:80|/x", "a.test:0080|/x", "a.test:|/x", "A.test|/x", "%61.te%53t|/x",
        ]
        #expect((planned.key == stored.key) == equal.contains(parts))
    }

    @Test("A QUERY without a digest is forwarded and not stored", .checks("rfc10008.2.7.content"))
    func withoutDigest() {
        let engine = CacheEngine()
        let asked = request(method: "QUERY")
        let planned = engine.plan(asked, [stored("Cache-Control: max-age=60")], at: 1)
        #expect(Outcome(planned) == .forward)
        // RFC 9211 §2.2: the method's semantics do not require it.
        #expect(planned.forwardReason == .bypass)
        #expect(planned.held(.queryNeedsContent) == false)
        #expect(engine.exchange(asked, response("Cache-Control: max-age=60")).edits.isEmpty)
    }

    @Test("A QUERY with a digest is answered by an entry under it, and by no response to GET")
    func withDigest() throws {
        let engine = CacheEngine()
        let asked = request(method: "QUERY")
        let key = engine.key(for: asked, content: ContentDigest.text(of: [1], [:]))
        let planned = engine.plan(asked, key: key, policy: .useProtocolCachePolicy, stored: [], now: at(0))
        let reply = OriginReply.response(
            response("Cache-Control: max-age=60"),
            requestTime: at(0),
            responseTime: at(0)
        )
        let put = try #require(engine.settle(planned, reply: reply).put)
        func outcome(_ stored: [StoredResponse]) -> Outcome {
            Outcome(engine.plan(asked, key: key, policy: .useProtocolCachePolicy, stored: stored, now: at(1)))
        }
        #expect(put.key == key && put.method == .query)
        #expect(outcome([put]) == .fresh(age: 1))
        #expect(outcome([stored("Cache-Control: max-age=60")]) != .fresh(age: 1))
    }

    @Test(
        "A GET or HEAD with content is forwarded and not stored, whatever is stored",
        .checks("rfc9110.9.3.1.content"),
        arguments: ["GET", "HEAD"]
    )
    func unshared(method: String) {
        let engine = CacheEngine()
        let asked = request(method: method)
        let key = engine.key(for: asked, hasContent: true)
        #expect(key != engine.key(for: asked))
        let planned = engine.plan(asked, key: key, policy: .useProtocolCachePolicy, stored: [], now: at(0))
        #expect(Outcome(planned) == .forward)
        #expect(planned.forwardReason == .bypass)
        let reply = OriginReply.response(
            response("Cache-Control: max-age=60"),
            requestTime: at(0),
            responseTime: at(0)
        )
        #expect(engine.settle(planned, reply: reply).edits.isEmpty)
        let stale = stored("Cache-Control: max-age=60, stale-if-error=60")
        let mixed = engine.plan(
            asked,
            key: key,
            policy: .returnCacheDataElseLoad,
            stored: [stale],
            now: at(1)
        )
        #expect(Outcome(mixed) == .forward)
    }

    @Test("A GET with fields that are not part of the key is forwarded, and the plan says why")
    func unkeyedFields() {
        let key = CacheEngine().key(for: request(), content: ContentDigest.uncacheableFields)
        let planned = CacheEngine().plan(
            request(),
            key: key,
            policy: .useProtocolCachePolicy,
            stored: [],
            now: at(0)
        )
        #expect(Outcome(planned) == .forward)
        #expect(planned.held(.keyHasMethodAndTarget) == true)
    }

    @Test(
        "The content of other methods does not change the key",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS"]
    )
    func otherMethods(method: String) {
        let asked = request(method: method)
        #expect(CacheEngine().key(for: asked, hasContent: true) == CacheEngine().key(for: asked))
    }

    @Test(
        "A plan's key is that of the engine that plans, whatever is stored",
        .checks("rfc9111.2.credentials")
    )
    func ownKey() {
        let engine = Self.partitioned()
        let asked = request("Cookie: sid=1")
        let anonymous = stored("Cache-Control: max-age=60")
        let planned = engine.plan(asked, policy: .useProtocolCachePolicy, stored: [anonymous], now: at(1))
        #expect(planned.key == engine.key(for: asked))
        #expect(planned.key != anonymous.key)
    }

    @Test("A field that is part of the key results in a key for each value, and none if it is absent")
    func keyFields() throws {
        var engine = CacheEngine(kind: .shared)
        engine.keyFields = [try #require(HTTPField.Name("X-Forwarded-Host")), .init("X-A") ?? .age]
        let keys = [
            request(), request("X-Forwarded-Host: a"), request("X-Forwarded-Host: b"),
            request("X-Forwarded-Host: aa"), request("X-A: a"), request("X-Forwarded-Host: a", "X-A: a"),
            request("X-Forwarded-Host: a", "X-Forwarded-Host: b"), request("X-Forwarded-Host: a, b"),
        ].map { engine.key(for: $0) }
        #expect(Set(keys).count == keys.count)
        #expect(keys[0] == CacheEngine().key(for: request()))
        #expect(engine.key(for: request("x-forwarded-host: a", "Foo: 1")) == keys[1])
        #expect(!keys[1].isOfContent)
    }

    static func partitioned(_ kind: CacheKind = .private, cookies: Set<String>? = nil) -> CacheEngine {
        var engine = CacheEngine(kind: kind)
        engine.partition = CredentialPartition(salt: [1, 2, 3], cookies: cookies)
        return engine
    }

    @Test(
        "Credentials make keys differ, and cannot be read in them",
        .checks("rfc9111.2.credentials", "rfc9111.2.credentials-unreadable")
    )
    func credentials() {
        let engine = Self.partitioned()
        let keys = [
            request(), request("Authorization: Bearer secret"), request("Authorization: Bearer other"),
            request("Cookie: sid=secret"), request("Cookie: sid=other"),
            request("Authorization: Bearer secret", "Cookie: sid=secret"),
        ].map { engine.key(for: $0) }
        #expect(Set(keys).count == keys.count)
        #expect(keys.allSatisfy { !$0.content.contains("secret") && !$0.content.contains("sid") })
        #expect(keys[0] == CacheEngine().key(for: request()))
    }

    @Test("Only the cookies of the scope count, and a different salt results in different keys")
    func scope() {
        let engine = Self.partitioned(cookies: ["sid"])
        let plain = engine.key(for: request("Cookie: sid=1"))
        #expect(plain == engine.key(for: request("Cookie: theme=dark; sid=1")))
        #expect(plain != engine.key(for: request("Cookie: sid=2")))
        #expect(engine.key(for: request("Cookie: theme=dark")) == engine.key(for: request()))
        var salted = engine
        salted.partition = CredentialPartition(salt: [9], cookies: ["sid"])
        #expect(plain != salted.key(for: request("Cookie: sid=1")))
    }

    @Test("A shared cache has the same key for all credentials")
    func shared() {
        let engine = Self.partitioned(.shared)
        #expect(engine.key(for: request("Authorization: a")) == engine.key(for: request("Authorization: b")))
    }

    @Test(
        "Stored selecting credentials are digests, and still match",
        .checks("rfc9111.2.credentials-unreadable")
    )
    func selectingFields() throws {
        let engine = Self.partitioned(cookies: ["sid"])
        let asked = request("Cookie: sid=1; theme=secret", "Authorization: secret")
        let put = try #require(
            engine.exchange(asked, response("Cache-Control: max-age=60", "Vary: Cookie, Authorization")).put
        )
        let texts = put.selectingFields.map(\.value) + [put.variant.text, put.key.content]
        #expect(texts.allSatisfy { !$0.contains("secret") && !$0.contains("sid") })
        #expect(engine.plan(asked, [put], at: 1).reuse != nil)
        #expect(engine.plan(request("Cookie: sid=1", "Authorization: secret"), [put], at: 1).reuse == nil)
    }
}
