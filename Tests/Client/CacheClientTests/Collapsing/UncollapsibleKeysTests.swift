import CacheSemantics
import Testing

@testable import CacheClient

@Suite("Keys whose requests do not wait for one another")
struct UncollapsibleKeysTests {
    private let keys = UncollapsibleKeys()
    private static let key = CacheKey(targetURI: "http://a/")

    @Test("A key is remembered for two minutes")
    func lifetime() {
        #expect(keys.isEmpty)
        #expect(!keys.contains(Self.key, false, now: .zero))
        keys.insert(Self.key, false, now: .seconds(10))
        #expect(!keys.isEmpty)
        #expect(keys.contains(Self.key, false, now: .milliseconds(129_999)))
        #expect(!keys.contains(CacheKey(targetURI: "http://b/"), false, now: .seconds(10)))
        #expect(!keys.contains(Self.key, false, now: .seconds(130)))
        #expect(keys.isEmpty)
    }

    @Test(
        "Requests with Authorization and without are apart, and forgotten together",
        arguments: [true, false]
    )
    func authorization(hasAuthorization: Bool) {
        keys.insert(Self.key, hasAuthorization, now: .zero)
        #expect(keys.contains(Self.key, hasAuthorization, now: .zero))
        #expect(!keys.contains(Self.key, !hasAuthorization, now: .zero))
        keys.remove(CacheKey(targetURI: "http://b/"))
        #expect(keys.contains(Self.key, hasAuthorization, now: .zero))
        keys.remove(Self.key)
        #expect(keys.isEmpty)
    }

    @Test("Of very many keys those are forgotten first that are not valid any more")
    func many() {
        func key(_ number: Int) -> CacheKey { CacheKey(targetURI: "http://a/\(number)") }
        for number in 0..<4_096 { keys.insert(key(number), false, now: .zero) }
        for number in 4_096..<8_192 { keys.insert(key(number), false, now: .seconds(60)) }
        #expect(keys.contains(key(0), false, now: .seconds(119)))
        keys.insert(key(8_192), false, now: .seconds(121))
        #expect(!keys.contains(key(0), false, now: .zero))
        #expect(keys.contains(key(8_191), false, now: .seconds(121)))
        #expect(keys.contains(key(8_192), false, now: .seconds(121)))
        for number in 0..<20_000 { keys.insert(key(number), false, now: .seconds(121)) }
        #expect(!keys.contains(key(0), false, now: .seconds(121)))
        #expect(keys.contains(key(19_999), false, now: .seconds(121)))
    }
}
