import Clocks
import Fetching
import Scenarios

/// Takes the steps of one scenario that are about the documents' stack.
final class StackRunner {
    private let stage: Stage
    private var settings = StackSettings()
    private var desk: StackDesk?
    /// What was begun and not waited for, by name.
    private var begun: [String: any StackOperation] = [:]

    init(stage: Stage) {
        self.stage = stage
        settings = stage.stackSettings
    }

    /// Takes one step; what was seen and did not hold is added to `record`.
    func take(
        _ step: StackStep,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StackProblem) {
        switch step {
        case .settings(let change):
            settings = change.over(settings)
            desk?.configure(settings)
        case .finish(let finish):
            guard let operation = begun.removeValue(forKey: finish.name) else {
                throw .setup(SubjectError("\"\(finish.name)\" is not under way."))
            }
            try end(operation, finish.expectation, context, &record)
        case .reachability(let network): try open().reachability.status = network.status
        case .chain(let chain):
            let operation = try open().chain(chain)
            try begin(operation, chain.timing, .group(chain.expectation), context, &record)
        case .batch(let batch):
            let operation = try open().batch(batch)
            try begin(operation, batch.timing, .group(batch.expectation), context, &record)
        }
    }

    /// Drops every object in memory; what is in files stays.
    func restart() throws(SubjectError) {
        if let name = begun.keys.min() {
            throw SubjectError("\"\(name)\" is still under way, and a restart would not end it.")
        }
        desk?.restart()
    }

    private func open() throws(StackProblem) -> StackDesk {
        do throws(SubjectError) {
            if let desk { return desk }
            let new = try StackDesk(stage: stage, settings: settings)
            desk = new
            return new
        } catch {
            throw .setup(error)
        }
    }

    private func begin(
        _ operation: any StackOperation,
        _ timing: StackTiming,
        _ expectation: StackExpectation,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StackProblem) {
        var alarm: Sleeper?
        if let delay = timing.cancelAfter {
            alarm = stage.clock.schedule(after: delay) { operation.cancel() }
        }
        if let name = timing.start {
            begun[name] = operation
            return
        }
        defer { alarm?.cancel() }
        try end(operation, expectation, context, &record)
    }

    private func end(
        _ operation: any StackOperation,
        _ expectation: StackExpectation,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StackProblem) {
        do throws(HarnessProblem) {
            try stage.driver.wait(for: operation.title) { operation.isOver }
        } catch {
            throw .harness(error)
        }
        operation.judge(expectation, context(), &record)
    }
}
