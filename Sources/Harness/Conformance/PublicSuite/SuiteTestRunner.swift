import CacheClient
import Clocks
import HTTPTypes
import Locks
import OriginScript
import PublicSuite
import Scenarios

/// Runs one test of the public suite against a subject.
struct SuiteTestRunner {
    let test: SuiteTest
    let origin: SuiteOrigin
    /// The subject, connected to the origin.
    let open: OpenSubject
    let clock: any TimeSource
    let driver: any ScenarioClockDriver

    /// Runs a conversation to its end.
    func run(_ conversation: SuiteConversation) -> SuiteOutcome {
        var conversation = conversation
        var outcome = SuiteOutcome()
        let begin = clock.elapsed
        do throws(HarnessProblem) { try origin.configure() } catch { conversation.fail(error.description) }
        while outcome.result == nil {
            do throws(HarnessProblem) {
                try take(conversation.next(), &conversation, &outcome, since: begin)
            } catch {
                conversation.fail(error.description)
            }
        }
        return outcome
    }

    private func take(
        _ action: SuiteConversation.Action,
        _ conversation: inout SuiteConversation,
        _ outcome: inout SuiteOutcome,
        since begin: Duration
    ) throws(HarnessProblem) {
        switch action {
        case .send(let call):
            let startedAt = (clock.elapsed - begin).seconds
            let (reply, seen) = try send(call, within: conversation.timeLimit)
            outcome.steps.append(record(of: call, seen, after: outcome.steps, startedAt: startedAt))
            conversation.receive(reply)
        case .pause(let duration): try driver.advance(by: duration)
        case .readState: conversation.receive(state: try origin.state())
        case .finish(let result): outcome.result = result
        }
    }

    private func record(
        of call: SuiteCall,
        _ seen: CallerObservation,
        after earlier: [StepRecord],
        startedAt: Double
    ) -> StepRecord {
        var record = StepRecord(
            number: call.number,
            title: "\(call.method) \(call.target)",
            position: call.position,
            startedAt: startedAt
        )
        record.arrivals = origin.origin.record(after: earlier.reduce(0) { $0 + $1.arrivals.count })
        record.exchanges = [
            CallerExchange(method: call.method, target: call.target, fields: call.fields, seen: seen)
        ]
        return record
    }

    private func send(_ call: SuiteCall, within timeLimit: Duration) throws(HarnessProblem)
        -> (SuiteReply, CallerObservation)
    {
        let result = Lock<CallerObservation?>(nil)
        let isLate = Flag()
        let signal = driver.signal
        var request = SubjectRequest(call, to: open.authority ?? origin.origin.authority)
        request.timeout = timeLimit
        let exchange = open.subject.send(request) { seen in
            result.withLock { $0 = $0 ?? seen }
            signal.raise()
        }
        let timer = clock.schedule(after: timeLimit) {
            isLate.raise()
            exchange.cancel()
        }
        defer { timer.cancel() }
        try driver.wait(for: "\(call.method) \(call.target)") { result.withLock { $0 != nil } }
        guard let seen = result.withLock({ $0 }) else { throw HarnessProblem("no result") }
        // The effects of a request end before the next one, so that verdicts do not depend on timing.
        try driver.settle()
        return (SuiteReply(seen, isLate: isLate.isRaised), seen)
    }
}

extension SubjectRequest {
    /// Creates the request of a test of the public suite.
    fileprivate init(_ call: SuiteCall, to authority: String) {
        self.init(method: call.method, url: authority + call.target, fields: call.fields, body: call.body)
        policy = call.policy
        followsRedirects = call.followsRedirects
    }
}

extension SuiteReply {
    /// Creates what a caller saw in the suite's terms; `isLate` is whether the time limit had passed.
    fileprivate init(_ seen: CallerObservation, isLate: Bool) {
        guard let status = seen.status else {
            self = Self.failure(seen.error, isLate: isLate)
            return
        }
        self = .response(
            SuiteResponse(
                status: status,
                fields: seen.fields,
                body: seen.body,
                interim: seen.interim.map { SuiteResponse.Interim(status: $0.status, fields: $0.fields) }
            )
        )
    }

    private static func failure(_ error: (code: Int, text: String)?, isLate: Bool) -> SuiteReply {
        if isLate || error?.code == ErrorCode.code(named: "timed-out") { return .timedOut }
        return .failed(error?.text ?? "there was no response")
    }
}
