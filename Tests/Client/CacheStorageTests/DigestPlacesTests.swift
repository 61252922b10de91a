@testable import CacheStorage
import Testing

@Suite("Places by digests")
struct DigestPlacesTests {
    @Test(
        "A digest is found in its place, also beside others that begin their search in the same slot",
        arguments: [1, 2, 3, 64, 65]
    )
    func places(count: Int) {
        for step: UInt64 in [1, 64, 1 << 32] {
            let digests = (0..<UInt64(count)).map { $0 * step }
            let places = DigestPlaces(digests)
            #expect(digests.map { places.only($0) } == Array(0..<count))
            #expect(places.only(UInt64(count) * step) == nil)
        }
    }

    @Test("A digest that several have is in no place")
    func several() {
        let places = DigestPlaces([7, 8, 7, 9, 7])
        #expect([7, 8, 9].map { places.only($0) } == [nil, 1, 3])
    }

    @Test("Without digests none is found")
    func none() { #expect(DigestPlaces([]).only(0) == nil) }
}
