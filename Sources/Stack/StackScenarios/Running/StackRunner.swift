import Clocks
import Conformance
import Fetching
import Locks
import Scenarios

/// Runs one scenario's steps of the networking stack.
final class StackRunner: ExtensionRunner {
    private let environment: ExtensionEnvironment
    private var settings: StackSettings
    private var stack: StackSessions?
    /// The running operations that no step has waited for, by name.
    private var running: [String: any StackOperation] = [:]

    init(_ environment: ExtensionEnvironment) {
        self.environment = environment
        settings = environment.settings as? StackSettings ?? StackSettings()
    }

    func take(
        _ step: any ExtensionStep,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem) {
        guard let step = step as? StackStep else { return }
        if let started = try start(step) { return try run(started, context, &record) }
        switch step {
        case .settings(let change):
            settings = change.over(settings)
            stack?.configure(settings)
        case .finish(let step): try finish(step, context, &record)
        case .reachability(let network): try open().reachability.status = network.status
        case .slot(let step): try take(step, &record)
        case .images(let step): try take(step, &record)
        case .pool(let step): record.mismatches += try open().perform(step)
        case .downloads(let step):
            let stack = try open()
            record.mismatches += try setUp(stack.perform(step))
        case .files(let step):
            let folder = try open().folder.path + "/" + step.folder.rawValue
            record.mismatches += try setUp(StackFiles.perform(step, in: folder, context()))
        case .group, .download, .upload, .image: break
        }
    }

    /// Starts the operation of a step; returns `nil` if the step has none.
    private func start(_ step: StackStep) throws(StepProblem) -> StartedOperation? {
        switch step {
        case .group(let step):
            return StartedOperation(try open().group(step), step.timing, .group(step.expectation))
        case .download(let step):
            return StartedOperation(try open().download(step), step.timing, .download(step.expectation))
        case .upload(let step):
            let stack = try open()
            let operation = try setUp(stack.upload(step))
            return StartedOperation(operation, step.timing, .upload(step.expectation))
        case .image(let step):
            let stack = try open()
            let operation = try setUp(stack.image(step))
            return StartedOperation(operation, step.timing, .image(step.expectation))
        case .settings, .finish, .reachability, .slot, .images, .pool, .downloads, .files: return nil
        }
    }

    private func finish(
        _ step: FinishStep,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem) {
        guard let operation = running.removeValue(forKey: step.name) else {
            throw .setup(SubjectError("\"\(step.name)\" is not running."))
        }
        try end(operation, step.expectation, context, &record)
    }

    func restart() throws(SubjectError) {
        if let name = running.keys.min() {
            throw SubjectError("\"\(name)\" is still running, and a restart would not end it.")
        }
        stack?.restart()
    }

    /// Performs a step on a slot, which is not awaited: it is checked when the scenario is quiescent, at the current
    /// time.
    private func take(_ step: SlotStep, _ record: inout StepRecord) throws(StepProblem) {
        let stack = try open()
        try setUp(stack.perform(step))
        try harness(environment.settle())
        record.mismatches += stack.check(step)
    }

    private func take(_ step: ImagesStep, _ record: inout StepRecord) throws(StepProblem) {
        let stack = try open()
        let isDone = Lock(false)
        let signal = environment.signal
        let end = { @Sendable in
            isDone.withLock { $0 = true }
            signal.raise()
        }
        try setUp(stack.perform(step, done: end))
        try harness(environment.wait(for: "the image caches") { isDone.withLock { $0 } })
        try harness(environment.settle())
        record.mismatches += try setUp(stack.check(step))
    }

    private func open() throws(StepProblem) -> StackSessions {
        if let stack {
            stack.followNetwork()
            return stack
        }
        let new = try setUp(StackSessions(environment: environment, settings: settings))
        stack = new
        return new
    }

    private func harness(_ body: @autoclosure () throws(HarnessProblem) -> Void) throws(StepProblem) {
        do throws(HarnessProblem) { try body() } catch { throw .harness(error) }
    }

    private func setUp<Result>(
        _ body: @autoclosure () throws(SubjectError) -> Result
    ) throws(StepProblem) -> Result {
        do throws(SubjectError) { return try body() } catch { throw .setup(error) }
    }

    private func run(
        _ started: StartedOperation,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem) {
        let operation = started.operation
        var sleeper: Sleeper?
        if let delay = started.timing.cancelAfter {
            sleeper = environment.clock.schedule(after: delay) { operation.cancel() }
        }
        if let name = started.timing.start {
            running[name] = operation
            return
        }
        defer { sleeper?.cancel() }
        try end(operation, started.expectation, context, &record)
    }

    private func end(
        _ operation: any StackOperation,
        _ expectation: StackExpectation,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem) {
        try harness(environment.wait(for: operation.title) { operation.isFinished })
        // An operation that has ended may still have to report it.
        try harness(environment.settle())
        operation.judge(expectation, context(), &record)
    }
}

/// An operation that a step has started, with the step's timing and expectation.
private struct StartedOperation {
    let operation: any StackOperation
    let timing: StackTiming
    let expectation: StackExpectation

    init(_ operation: any StackOperation, _ timing: StackTiming, _ expectation: StackExpectation) {
        (self.operation, self.timing, self.expectation) = (operation, timing, expectation)
    }
}
