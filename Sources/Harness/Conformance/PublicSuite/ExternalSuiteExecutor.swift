import CacheClient
import Clocks
import HTTPServing
import Locks
import MockOrigin
import OriginScript
import PublicSuite
import Scenarios
import TextCodings

/// Runs tests of the public suite against a subject outside the process, in real time and all at once, so that their
/// waits overlap.
final class ExternalSuiteExecutor: Sendable {
    private let options: RunOptions
    private let clock = SystemClock()
    private let caller: WireCaller
    private let subject: any OutsideSubject
    private let origin: any SuiteOrigin
    private let server: SuiteServer?

    init(_ options: RunOptions) throws(RunnerError) {
        self.options = options
        do throws(SubjectError) {
            caller = try .connecting(options.jobs, clock)
        } catch {
            throw RunnerError(description: "The caller cannot be started: \(error)")
        }
        let server = options.suiteOrigin == nil ? try Self.startServer(options, clock) : nil
        self.server = server
        if let server {
            origin = OwnSuiteOrigin(server, clock: clock)
        } else {
            origin = RemoteSuiteOrigin(caller: caller, base: options.suiteOrigin ?? "")
        }
        do throws(SubjectError) {
            subject = try options.startSubject(originPort: server?.port ?? 0, clock: clock)
        } catch {
            server?.stop()
            throw RunnerError(description: "The subject cannot be started: \(error)")
        }
    }

    private static func startServer(_ options: RunOptions, _ clock: SystemClock) throws(RunnerError)
        -> SuiteServer
    {
        let server = SuiteServer(options.originServer, dialect: options.dialect, clock: clock)
        do throws(ServerError) {
            try server.start()
        } catch {
            throw RunnerError(description: "The origin cannot be started: \(error)")
        }
        return server
    }

    func close() {
        subject.close()
        server?.stop()
    }

    /// Runs all items; blocks the calling thread, which must not be one of the executor's.
    func run(_ items: [SuitePlan.Item]) -> [SuiteOutcome] {
        let outcomes = Lock([SuiteOutcome](repeating: SuiteOutcome(), count: items.count))
        let left = Lock(items.count)
        let signal = Signal()
        for (place, item) in items.enumerated() {
            // On this thread, because it may start a process.
            let opened = item.obstacle == nil ? openSubject() : nil
            Task(executorPreference: caller.executor) { [self] in
                let outcome = await outcome(of: item.test, opened)
                outcomes.withLock { $0[place] = outcome }
                left.withLock { $0 -= 1 }
                signal.raise()
            }
        }
        while true {
            let seen = signal.count
            if left.withLock({ $0 == 0 }) { return outcomes.withLock { $0 } }
            _ = signal.wait(after: seen)
        }
    }

    private func openSubject() -> Result<any SuiteSubject, SubjectError> {
        Result { () throws(SubjectError) in try subject.openSuiteSubject() }
    }

    /// Returns the outcome of a test; that of a test that does not apply has no result.
    private func outcome(of test: SuiteTest, _ opened: Result<any SuiteSubject, SubjectError>?) async
        -> SuiteOutcome
    {
        switch opened {
        case nil: return SuiteOutcome()
        case .failure(let error)?: return lost(test, error.description)
        case .success(let subject)?:
            defer { subject.close() }
            let outcome = await run(test, subject)
            guard let reason = subject.breakdown ?? (outcome.holds ? nil : origin.breakdown) else {
                return outcome
            }
            return lost(test, reason, outcome.steps)
        }
    }

    /// Returns the outcome if the subject or its origin broke: no observation is a verdict.
    private func lost(_ test: SuiteTest, _ reason: String, _ steps: [StepRecord] = []) -> SuiteOutcome {
        var conversation = SuiteConversation(test, id: "", dialect: options.dialect)
        conversation.fail(reason)
        guard case .finish(let result) = conversation.next() else { return SuiteOutcome() }
        return SuiteOutcome(result: result, steps: steps, isSubjectLost: true)
    }

    private func run(_ test: SuiteTest, _ subject: any SuiteSubject) async -> SuiteOutcome {
        let begin = clock.elapsed
        let id = Self.newID()
        let isFetched = options.dialect == .compatible && !options.subject.isClient
        var conversation = SuiteConversation(test, id: id, dialect: options.dialect, isFetched: isFetched)
        var outcome = SuiteOutcome()
        do throws(HarnessProblem) {
            try await origin.configure(test, id: id)
        } catch {
            conversation.fail(error.description)
        }
        while outcome.result == nil {
            do throws(HarnessProblem) {
                try await take(conversation.next(), id, begin, subject, &conversation, &outcome)
            } catch {
                conversation.fail(error.description)
            }
        }
        origin.close(id: id)
        outcome.seconds = (clock.elapsed - begin).seconds
        return outcome
    }

    private func take(
        _ action: SuiteConversation.Action,
        _ id: String,
        _ begin: Duration,
        _ subject: any SuiteSubject,
        _ conversation: inout SuiteConversation,
        _ outcome: inout SuiteOutcome
    ) async throws(HarnessProblem) {
        switch action {
        case .send(let call):
            let reply = await send(call, id, begin, subject, &outcome)
            conversation.receive(reply)
        case .pause(let duration): await pause(duration)
        case .readState: conversation.receive(state: try await origin.state(of: id))
        case .finish(let result): outcome.result = result
        }
    }

    private func send(
        _ call: SuiteCall,
        _ id: String,
        _ begin: Duration,
        _ subject: any SuiteSubject,
        _ outcome: inout SuiteOutcome
    ) async -> SuiteReply {
        var record = StepRecord(
            number: call.number,
            title: "\(call.method) \(call.target)",
            position: call.position,
            startedAt: (clock.elapsed - begin).seconds
        )
        let reply = await subject.send(call, to: origin.url)
        let reported = outcome.steps.reduce(0) { $0 + $1.arrivals.count }
        record.arrivals = origin.arrivals(of: id, after: reported)
        record.exchanges = [
            CallerExchange(
                method: call.method,
                target: call.target,
                fields: call.fields,
                seen: CallerObservation(reply)
            )
        ]
        outcome.steps.append(record)
        return reply
    }

    private func pause(_ duration: Duration) async {
        // These tasks are never cancelled, so the sleep is never cut short.
        do { try await clock.sleep(for: duration) } catch {}
    }

    /// Returns an id that no earlier run has used, because a proxy may still hold their responses: a UUID (RFC 9562
    /// §5.4), whose length some tests rely on.
    private static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { Hexadecimal.digits(of: $0) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}

extension CallerObservation {
    /// Creates an observation from a response that came over the network.
    init(_ reply: SuiteReply) {
        self.init()
        switch reply {
        case .response(let response):
            status = response.status
            fields = response.fields
            body = response.body
        case .timedOut: error = (TransportError.Kind.timedOut.rawValue, "No response arrived in time.")
        case .failed(let reason): error = (TransportError.Kind.unknown.rawValue, reason)
        }
    }
}
