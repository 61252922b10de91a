import Clocks
import Conformance
import Fetching
import Locks
import Scenarios

/// Takes the steps of one scenario that are about the networking stack.
final class StackRunner: ExtensionRunner {
    private let stage: ExtensionStage
    private var settings: StackSettings
    private var stack: StackSessions?
    /// What was begun and not waited for, by name.
    private var begun: [String: any StackOperation] = [:]

    init(_ stage: ExtensionStage) {
        self.stage = stage
        settings = stage.settings as? StackSettings ?? StackSettings()
    }

    func take(
        _ step: any ExtensionStep,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem) {
        guard let step = step as? StackStep else { return }
        switch step {
        case .settings(let change):
            settings = change.over(settings)
            stack?.configure(settings)
        case .finish(let finish):
            guard let operation = begun.removeValue(forKey: finish.name) else {
                throw .setup(SubjectError("\"\(finish.name)\" is not under way."))
            }
            try end(operation, finish.expectation, context, &record)
        case .reachability(let network): try open().reachability.status = network.status
        case .downloads(let step):
            let stack = try open()
            record.mismatches += try setUp { () throws(SubjectError) in try stack.perform(step) }
        case .pool(let step): record.mismatches += try open().perform(step)
        case .files(let step):
            let folder = try open().folder.path + "/" + step.folder.rawValue
            record.mismatches += try setUp { () throws(SubjectError) in
                try StackFiles.perform(step, in: folder, context())
            }
        case .slot(let step): try take(step, &record)
        case .images(let step): try take(step, &record)
        case .chain(let step):
            try begin(try open().chain(step), step.timing, .group(step.expectation), context, &record)
        case .batch(let step):
            try begin(try open().batch(step), step.timing, .group(step.expectation), context, &record)
        case .download(let step):
            try begin(try open().download(step), step.timing, .download(step.expectation), context, &record)
        case .upload(let step):
            let stack = try open()
            let operation = try setUp { () throws(SubjectError) in try stack.upload(step) }
            try begin(operation, step.timing, .upload(step.expectation), context, &record)
        case .image(let step):
            let stack = try open()
            let operation = try setUp { () throws(SubjectError) in try stack.image(step) }
            try begin(operation, step.timing, .image(step.expectation), context, &record)
        }
    }

    func restart() throws(SubjectError) {
        if let name = begun.keys.min() {
            throw SubjectError("\"\(name)\" is still under way, and a restart would not end it.")
        }
        stack?.restart()
    }

    /// A slot is not waited for: what it shows is asked when nothing can happen by itself, and the clock stands still.
    private func take(_ step: SlotStep, _ record: inout StepRecord) throws(StepProblem) {
        let stack = try open()
        try setUp { () throws(SubjectError) in try stack.perform(step) }
        try harness { () throws(HarnessProblem) in try stage.settle() }
        record.mismatches += stack.check(step)
    }

    private func take(_ step: ImagesStep, _ record: inout StepRecord) throws(StepProblem) {
        let stack = try open()
        let isDone = Lock(false)
        let signal = stage.signal
        try setUp { () throws(SubjectError) in
            try stack.perform(step) {
                isDone.withLock { $0 = true }
                signal.raise()
            }
        }
        try harness { () throws(HarnessProblem) in
            try stage.wait(for: "the image caches") { isDone.withLock { $0 } }
            try stage.settle()
        }
        record.mismatches += try setUp { () throws(SubjectError) in try stack.check(step) }
    }

    private func open() throws(StepProblem) -> StackSessions {
        if let stack { return stack }
        let new = try setUp { () throws(SubjectError) in try StackSessions(stage: stage, settings: settings) }
        stack = new
        return new
    }

    private func harness(_ body: () throws(HarnessProblem) -> Void) throws(StepProblem) {
        do throws(HarnessProblem) { try body() } catch { throw .harness(error) }
    }

    private func setUp<Result>(_ body: () throws(SubjectError) -> Result) throws(StepProblem) -> Result {
        do throws(SubjectError) { return try body() } catch { throw .setup(error) }
    }

    private func begin(
        _ operation: any StackOperation,
        _ timing: StackTiming,
        _ expectation: StackExpectation,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StepProblem) {
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
    ) throws(StepProblem) {
        try harness { () throws(HarnessProblem) in
            try stage.wait(for: operation.title) { operation.isOver }
            // Who has ended may still be about to say so.
            try stage.settle()
        }
        operation.judge(expectation, context(), &record)
    }
}
