/// Runs mutants, one after the other, against scenarios and then tests.
final class MutantTrials {
    private let table: TrialTable
    private let tests: TestSuites
    private let worker: WorkerProcess
    private let makeWorker: (_ mutant: Int) -> WorkerProcess
    private var order = TrialOrder()

    /// `makeWorker` returns a worker in which a mutant is enabled from the start.
    init(_ table: TrialTable, _ tests: TestSuites, makeWorker: @escaping (_ mutant: Int) -> WorkerProcess) {
        (self.table, self.tests, self.makeWorker) = (table, tests, makeWorker)
        worker = makeWorker(0)
    }

    func verdict(on mutant: Mutant) -> MutantVerdict {
        do {
            let trials = order.ordered(table.trials(reaching: mutant), for: mutant, in: table)
            if let trial = try noticing(mutant, trials) {
                order.note(mutant, noticedBy: trial)
                return .byScenarios(table.trials[trial].name)
            }
            if let suites = try tests.noticing(mutant) { return .byTests(suites) }
            return trials.isEmpty ? .unreached : .survived
        } catch {
            return .notRun(String(describing: error))
        }
    }

    /// Returns the first trial that notices the mutant.
    private func noticing(_ mutant: Mutant, _ trials: [Int]) throws -> Int? {
        // An initial value is computed once in a process, so such a mutant needs its own.
        let worker = mutant.isInitial ? makeWorker(mutant.id) : worker
        defer { if mutant.isInitial { worker.stop() } }
        return try trials.first { try notices(mutant, $0, worker) }
    }

    /// Whether a trial notices the mutant: the worker traps or hangs, or the trial fails twice with and passes without it.
    private func notices(_ mutant: Mutant, _ trial: Int, _ worker: WorkerProcess) throws -> Bool {
        let limit = 20 + 20 * table.trials[trial].duration
        switch try worker.run(trial, mutant: mutant.id, limit: limit) {
        case .passed: return false
        case .died, .overdue: return true
        case .failed, .skipped, .unfinished: break
        }
        // What an earlier mutant left behind in the process is no verdict on this one.
        if mutant.isInitial { return try !worker.run(trial, mutant: mutant.id, limit: limit).isPass }
        if try !worker.run(trial, mutant: 0, limit: limit).isPass { worker.stop() }
        return try !worker.run(trial, mutant: mutant.id, limit: limit).isPass
    }
}

extension WorkerProcess.Answer {
    fileprivate var isPass: Bool {
        if case .passed = self { true } else { false }
    }
}
