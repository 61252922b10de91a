import OriginScript
import Testing

@testable import HTTPServing
@testable import MockOrigin

@Suite("Pieces and timing of content")
struct ContentPaceTests {
    private func run(_ answer: Answer) -> (time: Duration, sizes: [Int]) {
        let moment = HTTPTimestamp(wallSeconds: 0)
        let request = ServedRequest(method: "GET", target: "/")
        let context = AnswerContext(request: request, now: moment, startedAt: moment)
        let reply = ComposedReply.compose(answer, context, ContentStore(folder: nil))
        return reply.steps.reduce(into: (.zero, [])) { result, step in
            switch step {
            case .wait(let time): result.time += time
            case .content(let bytes, _, _): result.sizes.append(bytes.count)
            default: break
            }
        }
    }

    @Test("Content takes its size divided by the rate, in twenty steps a second")
    func rate() {
        let result = run(
            .with { answer in
                answer.body = .generated(size: 2000)
                answer.rate = 1000
            }
        )
        #expect(result.time == .seconds(2))
        #expect(result.sizes == Array(repeating: 50, count: 40))
    }

    @Test("A slow rate takes at most a thousand steps")
    func slowRate() {
        let result = run(
            .with { answer in
                answer.body = .generated(size: 100_000)
                answer.rate = 1
            }
        )
        #expect(result.time == .seconds(100_000))
        #expect(result.sizes.count == 1000)
    }

    @Test("A delay precedes each piece")
    func chunkDelay() {
        let result = run(
            .with { answer in
                answer.body = .generated(size: 35104)
                answer.framing = .chunked
                answer.chunks = [30047, 3575, 1482]
                answer.chunkDelay = .seconds(1)
            }
        )
        #expect(result.time == .seconds(3))
        #expect(result.sizes == [30047, 3575, 1482])
    }
}
