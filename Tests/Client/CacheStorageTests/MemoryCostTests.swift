import CacheSemantics
import HTTPTypes
import Testing

@testable import CacheStorage

@Suite("The cost of an entry in memory")
struct MemoryCostTests {
    @Test(
        "Objects and tables cost 1,400 bytes, each field 60, each name in Vary 32 and each label 180, besides content and metadata"
    )
    func cost() {
        // Three fields of the response, and one that selects it.
        let plain = response("a")
        let variant = response("a", variant: "de")
        #expect(MemoryCost.of(plain, bodyCount: 0, metadataSize: 0, labels: 0) == 1_400 + 3 * 60)
        #expect(MemoryCost.of(variant, bodyCount: 0, metadataSize: 0, labels: 0) == 1_400 + 4 * 60)
        #expect(
            MemoryCost.of(plain, bodyCount: 5, metadataSize: 7, labels: 2) == 1_400 + 3 * 60 + 2 * 180 + 12
        )
        let selected = StoredResponse(
            key: key("a"),
            variant: VariantKey(),
            method: .get,
            selectingFields: [:],
            response: HTTPResponse(status: .ok, headerFields: [.vary: "X-A, X-B, X-C"]),
            requestTime: plain.requestTime,
            responseTime: plain.responseTime
        )
        #expect(MemoryCost.of(selected, bodyCount: 0, metadataSize: 0, labels: 0) == 1_400 + 60 + 3 * 32)
    }
}
