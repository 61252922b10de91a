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
        case .downloads(let step):
            let desk = try open()
            record.mismatches += try setUp { () throws(SubjectError) in try desk.perform(step) }
        case .pool(let step): record.mismatches += try open().perform(step)
        case .files(let step):
            let folder = try open().folder.path + "/" + step.folder.rawValue
            record.mismatches += try setUp { () throws(SubjectError) in
                try StackFiles.perform(step, in: folder, context())
            }
        case .slot(let step): try take(step, &record)
        case .images(let step): try take(step, &record)
        case .download, .upload, .image, .chain, .batch: try begin(step, context, &record)
        }
    }

    private func begin(
        _ step: StackStep,
        _ context: () -> ExpectationContext,
        _ record: inout StepRecord
    ) throws(StackProblem) {
        let desk = try open()
        switch step {
        case .download(let step):
            try begin(desk.download(step), step.timing, .download(step.expectation), context, &record)
        case .upload(let step):
            let operation = try setUp { () throws(SubjectError) in try desk.upload(step) }
            try begin(operation, step.timing, .upload(step.expectation), context, &record)
        case .chain(let chain):
            try begin(desk.chain(chain), chain.timing, .group(chain.expectation), context, &record)
        case .batch(let batch):
            try begin(desk.batch(batch), batch.timing, .group(batch.expectation), context, &record)
        case .image(let step):
            let operation = try setUp { () throws(SubjectError) in try desk.image(step) }
            try begin(operation, step.timing, .image(step.expectation), context, &record)
        case .downloads, .images, .slot, .pool, .files, .finish, .settings, .reachability: return
        }
    }

    /// Drops every object in memory; what is in files stays.
    func restart() throws(SubjectError) {
        if let name = begun.keys.min() {
            throw SubjectError("\"\(name)\" is still under way, and a restart would not end it.")
        }
        desk?.restart()
    }

    /// A slot is not waited for: what it shows is asked when nothing can happen by itself, and the clock stands still.
    private func take(_ step: SlotStep, _ record: inout StepRecord) throws(StackProblem) {
        let desk = try open()
        try setUp { () throws(SubjectError) in try desk.perform(step) }
        try harness { () throws(HarnessProblem) in try stage.driver.settle() }
        record.mismatches += desk.check(step)
    }

    private func take(_ step: ImagesStep, _ record: inout StepRecord) throws(StackProblem) {
        let desk = try open()
        let flag = Flag()
        let signal = stage.driver.signal
        try setUp { () throws(SubjectError) in
            try desk.perform(step) {
                flag.raise()
                signal.raise()
            }
        }
        try harness { () throws(HarnessProblem) in
            try stage.driver.wait(for: "the image caches") { flag.isRaised }
            try stage.driver.settle()
        }
        record.mismatches += try setUp { () throws(SubjectError) in try desk.check(step) }
    }

    private func open() throws(StackProblem) -> StackDesk {
        if let desk { return desk }
        let new = try setUp { () throws(SubjectError) in try StackDesk(stage: stage, settings: settings) }
        desk = new
        return new
    }

    private func harness(_ body: () throws(HarnessProblem) -> Void) throws(StackProblem) {
        do throws(HarnessProblem) { try body() } catch { throw .harness(error) }
    }

    private func setUp<Result>(_ body: () throws(SubjectError) -> Result) throws(StackProblem) -> Result {
        do throws(SubjectError) { return try body() } catch { throw .setup(error) }
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
        try harness { () throws(HarnessProblem) in
            try stage.driver.wait(for: operation.title) { operation.isOver }
            // Who has ended may still be about to say so.
            try stage.driver.settle()
        }
        operation.judge(expectation, context(), &record)
    }
}
