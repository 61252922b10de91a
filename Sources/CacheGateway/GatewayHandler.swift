import CacheClient
import CacheSemantics
import Clocks
import HTTPServing
import HTTPTypes

/// Answers the gateway's requests: from memory at once, everything else in a task of its own.
struct GatewayHandler: StreamHandler {
    let client: CachingClient
    let executor: (any TaskExecutor)?
    let target: TargetRule
    let metrics: GatewayMetrics
    let clock: any TimeSource

    func answerAtOnce(_ head: StreamHead, _ answer: inout StreamAnswer) -> Bool {
        // RFC 9110 §9.3.1: of all methods only GET is answered with what is stored, as it is stored.
        guard head.method.elementsEqual("GET".utf8),
            case .forward(let request) = ForwardedRequest(head.request, target),
            let hit = client.hit(for: request)
        else { return false }
        var text = ResponseText(reusing: &answer.head)
        text.writeHit(hit, endsConnection: !head.isPersistent, isHTTP11: head.isHTTP11)
        answer.head = text.bytes
        answer.body = hit.body
        metrics.countHit(isStale: hit.reuse.isStale)
        metrics.count(bytes: hit.body.count)
        return true
    }

    func begin(_ exchange: StreamExchange) {
        switch ForwardedRequest(exchange.request, target) {
        case .refuse(let status, let reason):
            metrics.countError()
            exchange.writeNow(OwnResponse(status: status, reason: reason, clock: clock).bytes)
            exchange.finish(isPersistent: false)
        case .forward(let request):
            let relay = Relay(exchange: exchange, handler: self)
            let task = Task(executorPreference: executor) { await relay.run(request) }
            exchange.onGone { task.cancel() }
        }
    }

    func refusal(for problem: RequestProblem) -> [UInt8] {
        metrics.countError()
        return OwnResponse(status: problem.status, reason: problem.explanation, clock: clock).bytes
    }
}
