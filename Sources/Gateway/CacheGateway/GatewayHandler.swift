import CacheClient
import CacheSemantics
import Clocks
import HTTPServing
import HTTPTypes

/// Answers the gateway's requests: from memory at once, all others in a separate task.
struct GatewayHandler: StreamHandler {
    let client: CachingClient
    let executor: (any TaskExecutor)?
    let target: TargetRule
    let metrics: GatewayMetrics
    let clock: any TimeSource
    /// Whether a hit that is repeated within a second is answered without another decision.
    let repeatsHits: Bool
    /// `nil` if no one observes exchanges.
    let reporter: ExchangeReporter?

    func makeAnswerer() -> any StreamAnswerer { HitAnswerer(self) }

    func begin(_ exchange: StreamExchange) {
        let report = reporter.map { PendingReport(exchange.request, $0) }
        switch ForwardedRequest(exchange.request, target) {
        case .refuse(let status, let reason): refuse(exchange, status, reason, report)
        case .forward(let request):
            let relay = Relay(exchange: exchange, handler: self, report: report)
            let task = Task(executorPreference: executor) { await relay.run(request) }
            exchange.onGone { task.cancel() }
        }
    }

    private func refuse(_ exchange: StreamExchange, _ status: Int, _ reason: String, _ report: PendingReport?)
    {
        metrics.countError()
        var response = OwnResponse(status: status, reason: reason, clock: clock)
        response.isHead = exchange.request.method.elementsEqual("HEAD".utf8)
        exchange.writeNow(response.bytes)
        exchange.finish(isPersistent: false)
        report?.end(status: status, contentBytes: response.contentCount)
    }

    func refusal(for problem: RequestProblem) -> [UInt8] {
        metrics.countError()
        return OwnResponse(status: problem.status, reason: problem.explanation, clock: clock).bytes
    }
}
