import Testing

@testable import MockOrigin

@Suite("How content is cut and paced")
struct ContentPaceTests {
    private func run(_ pace: ContentPace, _ count: Int, limit: Int? = nil) -> (time: Duration, sizes: [Int]) {
        let content = [UInt8](repeating: 0x61, count: count)
        return pace.steps(Content(content), limit: limit).reduce(into: (.zero, [])) { result, step in
            switch step {
            case .wait(let time): result.time += time
            case .content(let bytes, _, _): result.sizes.append(bytes.count)
            default: break
            }
        }
    }

    @Test("A rate takes size by rate, in twenty steps a second")
    func rate() {
        let result = run(ContentPace(chunks: [], chunkDelay: .zero, rate: 1000), 2000)
        #expect(result.time == .seconds(2))
        #expect(result.sizes == Array(repeating: 50, count: 40))
    }

    @Test("A slow rate takes at most a thousand steps")
    func slowRate() {
        let result = run(ContentPace(chunks: [], chunkDelay: .zero, rate: 1), 100_000)
        #expect(result.time == .seconds(100_000))
        #expect(result.sizes.count == 1000)
    }

    @Test("A delay is before each piece")
    func chunkDelay() {
        let result = run(ContentPace(chunks: [30047, 3575, 1482], chunkDelay: .seconds(1), rate: nil), 35104)
        #expect(result.time == .seconds(3))
        #expect(result.sizes == [30047, 3575, 1482])
    }

    @Test("A limit cuts within a piece")
    func limit() {
        let result = run(ContentPace(chunks: [4, 4], chunkDelay: .zero, rate: nil), 10, limit: 6)
        #expect(result.sizes == [4, 2])
    }
}
