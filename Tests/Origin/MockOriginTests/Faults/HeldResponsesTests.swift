import HTTPServing
import Testing

@testable import MockOrigin

@Suite("Responses that are held")
struct HeldResponsesTests {
    @Test("Those of one label, or all, are taken once")
    func labels() {
        var held = HeldResponses()
        let holds = (0..<4).map { _ in Hold() }
        for (hold, label) in zip(holds, ["a", "b", "a", "c"]) { held.add(hold, label) }
        #expect(
            held.take("a").map { ObjectIdentifier($0) } == [holds[0], holds[2]].map { ObjectIdentifier($0) }
        )
        #expect(held.take("a").isEmpty)
        #expect(
            held.take(nil).map { ObjectIdentifier($0) } == [holds[1], holds[3]].map { ObjectIdentifier($0) }
        )
        #expect(held.take(nil).isEmpty)
    }

    @Test("Of more than 4,096 the oldest are no longer known")
    func most() {
        var held = HeldResponses()
        for number in 0..<4_098 { held.add(Hold(), "\(number)") }
        #expect(["0", "1", "2", "4097"].map { held.take($0).count } == [0, 0, 1, 1])
        #expect(held.take(nil).count == 4_094)
    }
}
