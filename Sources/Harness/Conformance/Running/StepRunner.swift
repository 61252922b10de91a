import Clocks
import LocatedYAML
import OriginScript
import Scenarios

/// Runs the steps of one scenario and compares the observations at both ends with the expectations.
///
/// The first step with a mismatch is the last: later ones would fail for the same reason.
final class StepRunner {
    private enum Interruption: Error {
        case mismatch
        case setup(String)
        case harness(HarnessProblem)
    }
    private let environment: ScenarioEnvironment
    private(set) var records: [StepRecord] = []
    private var bodies: [String: [UInt8]] = [:]
    /// The gateway in front of the origin; `nil` until a step uses it.
    private var gateway: GatewayFixture?
    /// The runners of extensions' steps, by the extensions' keys.
    private var runners: [String: any ExtensionRunner] = [:]
    /// The number of arrivals at the previous `origin-saw`.
    private var countedArrivals = 0
    /// The number of arrivals in the records of earlier steps.
    private var reportedArrivals = 0

    /// When the scenario began, on its clock.
    private let begin: Duration

    init(environment: ScenarioEnvironment) {
        self.environment = environment
        begin = environment.clock.elapsed
    }

    /// Runs all steps and returns the verdict; called once.
    func run(_ steps: [LocatedStep]) -> Verdict {
        let verdict = verdict(steps)
        // No observation of a subject that has broken is a verdict on the rules.
        return environment.subject.breakdown.map(Verdict.harnessError) ?? verdict
    }

    private func verdict(_ steps: [LocatedStep]) -> Verdict {
        do throws(Interruption) {
            try take(steps)
            return .passed
        } catch {
            switch error {
            case .mismatch: return .failed(records.flatMap(\.mismatches))
            case .setup(let text): return .setupFailed(text)
            case .harness(let problem): return .harnessError(problem.description)
            }
        }
    }

    private func take(_ steps: [LocatedStep]) throws(Interruption) {
        for step in steps {
            guard case .repeat(let times, let inner) = step.step else {
                try take(step)
                continue
            }
            for round in 0..<max(0, times) {
                try take(inner.map { LocatedStep(step: $0.step.inRound(round + 1), position: $0.position) })
            }
        }
    }

    private func take(_ step: LocatedStep) throws(Interruption) {
        var record = StepRecord(
            number: records.count + 1,
            title: step.step.title,
            position: step.position,
            startedAt: (environment.clock.elapsed - begin).seconds
        )
        defer {
            record.arrivals = environment.origin.record(after: reportedArrivals)
            reportedArrivals += record.arrivals.count
            records.append(record)
        }
        try perform(step.step, &record)
        // The effects of a step end before the next step, so that verdicts do not depend on timing.
        try harness(environment.driver.settle())
        if !record.mismatches.isEmpty { throw .mismatch }
    }

    private func perform(_ step: Step, _ record: inout StepRecord) throws(Interruption) {
        switch step {
        case .request(let request): try send([request], &record)
        case .parallel(let requests): try send(requests, &record)
        case .repeat: return
        case .advance(let duration):
            try harness(environment.driver.advance(by: duration))
        case .jumpWall(let duration): environment.driver.jumpWall(by: duration)
        case .release(let label): environment.origin.release(label: label)
        case .origin(let action): try perform(action)
        case .networkProfile(let schedule): environment.origin.use(network: schedule)
        case .network(let network): environment.subject.use(network)
        case .idle: try waitForBackgroundWork()
        case .originSaw(let expectation): compare(expectation, &record)
        case .restartClient:
            for runner in runners.values { try setUp(runner.restart()) }
            try setUp(environment.subject.restart())
        case .cache(let action):
            try setUp(environment.subject.perform(action) { environment.url($0) })
        case .store(let entry):
            try setUp(environment.subject.store(environment.entry(entry)))
        case .lookup(let request): try lookup(request, &record)
        case .usage(let expectation): try compare(expectation, &record)
        case .gateway(let step): try ask(step, &record)
        case .added(let step, let owner): try take(step, of: owner, &record)
        }
    }

    // MARK: Requests

    private func send(_ steps: [RequestStep], _ record: inout StepRecord) throws(Interruption) {
        let pending = steps.map(PendingRequest.init)
        let requests = steps.map { step in
            var request = environment.request(step)
            request.isConcurrent = steps.count > 1
            return request
        }
        for (request, description) in zip(pending, requests) { request.begin(description, on: environment) }
        try harness(
            environment.driver.wait(for: steps.map(\.title).joined(separator: ", ")) {
                pending.allSatisfy { $0.result != nil }
            }
        )
        let results = try pending.map { (request) throws(Interruption) in try observation(of: request) }
        for ((step, description), seen) in zip(zip(steps, requests), results) {
            note(seen, of: step, fields: description.fields, &record)
            if let label = step.label { bodies[label] = seen.body }
        }
        for (step, seen) in zip(steps, results) { try compare(seen, with: step, &record) }
    }

    /// Returns the observation of a request; a request without a result would otherwise go unnoticed.
    private func observation(of request: PendingRequest) throws(Interruption) -> CallerObservation {
        if let seen = request.result { return withSource(seen) }
        throw .harness(HarnessProblem("\(request.step.title): it ended without a result"))
    }

    /// Returns an observation, adding its source if that is clear in the step as a whole: if concurrent requests had
    /// responses and none reached the origin, all came from the store.
    private func withSource(_ seen: CallerObservation) -> CallerObservation {
        guard seen.source == nil, seen.error == nil, let status = seen.status, status < 500,
            environment.origin.record(after: reportedArrivals).isEmpty
        else { return seen }
        var seen = seen
        seen.source = .cache
        return seen
    }

    private func lookup(_ step: RequestStep, _ record: inout StepRecord) throws(Interruption) {
        let request = environment.request(step)
        let seen = try setUp(environment.subject.lookup(request))
        note(seen, of: step, fields: request.fields, &record)
        record.mismatches += step.expectation.check(seen, context: context, at: step.position)
    }

    private func ask(_ step: GatewayStep, _ record: inout StepRecord) throws(Interruption) {
        let opened = if let gateway { gateway } else { try setUp(GatewayFixture(environment)) }
        gateway = opened
        let text = environment.fieldContext.expand(step.text)
        let seen = try setUp(opened.ask(text))
        record.exchanges.append(CallerExchange(method: "bytes", target: "", fields: [], seen: seen))
        record.mismatches += step.expectation.check(seen, context: context, at: step.position)
    }

    private func take(
        _ step: any ExtensionStep,
        of owner: any ScenarioExtension,
        _ record: inout StepRecord
    ) throws(Interruption) {
        let runner = try setUp(self.runner(of: owner))
        do throws(StepProblem) {
            try runner.take(step, { context }, &record)
        } catch {
            switch error {
            case .setup(let error): throw .setup(error.description)
            case .harness(let problem): throw .harness(problem)
            }
        }
    }

    private func runner(of owner: any ScenarioExtension) throws(SubjectError) -> any ExtensionRunner {
        if let known = runners[owner.key] { return known }
        guard let runnable = owner as? any RunnableExtension, let client = environment.clientParts else {
            throw SubjectError("This subject does not support steps of \"\(owner.key)\".")
        }
        let settings = environment.extensionSettings[owner.key]
        let runner = runnable.runner(
            on: ExtensionEnvironment(environment, settings: settings, client: client)
        )
        runners[owner.key] = runner
        return runner
    }

    private func note(
        _ seen: CallerObservation,
        of step: RequestStep,
        fields: [(name: String, value: String)],
        _ record: inout StepRecord
    ) {
        var exchange = CallerExchange(method: step.method, target: step.target, fields: fields, seen: seen)
        exchange.policy = step.policy
        record.exchanges.append(exchange)
    }

    private func compare(
        _ seen: CallerObservation,
        with step: RequestStep,
        _ record: inout StepRecord
    ) throws(Interruption) {
        if step.expectation.isEmpty(without: environment.unjudged) {
            // A request without expectations is a setup step, so a missing response breaks no rule.
            guard let error = seen.error else { return }
            throw .setup("\(step.title): error \(error.code), \(error.text) (\(step.position))")
        }
        let mismatches = step.expectation.check(seen, context: context, at: step.position)
        record.mismatches += mismatches
        guard !mismatches.isEmpty, seen.source == nil, seen.error == nil,
            let sources = step.expectation.sources
        else { return }
        // The mismatch may be that the response has an unexpected source.
        record.mismatches.append(Mismatch(unknownSource: sources))
    }

    // MARK: The origin, the store, background work

    private func perform(_ action: OriginAction) throws(Interruption) {
        switch action {
        case .use(let answer, let label): environment.origin.use(answer: answer, label: label)
        case .stop:
            try harness(environment.origin.refuseConnections(true))
        case .start:
            try harness(environment.origin.refuseConnections(false))
        }
    }

    private func compare(_ expectation: OriginExpectation, _ record: inout StepRecord) {
        let all = environment.origin.record(after: 0).map(\.request)
        record.mismatches += expectation.check(all, since: countedArrivals, context: context)
        countedArrivals = all.count
    }

    private func compare(_ expectation: UsageExpectation, _ record: inout StepRecord) throws(Interruption) {
        let usage = try setUp(environment.subject.usage(lookingFor: expectation.texts))
        record.mismatches += expectation.check(usage)
    }

    private func waitForBackgroundWork() throws(Interruption) {
        let flag = Flag()
        let signal = environment.driver.signal
        environment.subject.finishBackgroundWork {
            flag.raise()
            signal.raise()
        }
        try harness(environment.driver.wait(for: "background work") { flag.isRaised })
    }

    private var context: ExpectationContext {
        var context = ExpectationContext(
            origin: environment.fieldContext,
            bodies: bodies,
            unjudged: environment.unjudged,
            tolerance: environment.tolerance
        )
        context.errorsAreResponses = environment.errorsAreResponses
        context.mayUseAnyTier = environment.mayUseAnyTier
        return context
    }

    private func harness(_ body: @autoclosure () throws(HarnessProblem) -> Void) throws(Interruption) {
        do throws(HarnessProblem) { try body() } catch { throw .harness(error) }
    }

    private func setUp<Result>(
        _ body: @autoclosure () throws(SubjectError) -> Result
    ) throws(Interruption) -> Result {
        do throws(SubjectError) { return try body() } catch { throw .setup(error.description) }
    }
}
