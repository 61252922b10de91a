import StoreModel
import TestSupport

/// A folder, its workers, and its expected contents.
final class TorturedFolder {
    private let folder: TestFolder
    private var workers: [WorkerProcess?]
    private(set) var model = FolderModel()
    private(set) var steps: [ScheduleStep] = []
    /// The number of calls, and of entries that were compared with the stored ones.
    private(set) var (calls, bodies) = (0, 0)
    var number = 0

    /// With `mayLose`, stored responses may be lost, because system calls fail.
    init(stores: Int, mayLose: Bool = false) throws(Failure) {
        model.mayLose = mayLose
        folder = try makeScratchFolder()
        workers = Array(repeating: nil, count: stores)
    }

    var path: String { folder.path }

    /// Starts a worker if there is none; returns false if it cannot start.
    func start(_ store: Int, _ environment: [String: String] = [:]) throws(Failure) -> Bool {
        if workers[store] == nil { workers[store] = try WorkerProcess(folder.path, environment) }
        return workers[store] != nil
    }

    /// Kills a worker.
    func kill(_ store: Int) {
        workers[store] = nil
        model.interrupt(ScheduleStep(.kill, store: store, resource: 0, number: number))
    }

    /// Lets a worker perform a step; returns false if it gave no answer in time and was killed.
    @discardableResult
    func make(_ step: ScheduleStep, within microseconds: Int? = nil) throws(Failure) -> Bool {
        steps.append(step)
        calls += 1
        guard let report = workers[step.store]?.make(step, within: microseconds) else {
            model.interrupt(step)
            kill(step.store)
            return false
        }
        bodies += report.found.count
        if let problem = model.check(step, report) { throw failure("\(step): \(problem)") }
        return true
    }

    /// Looks up everything through a store.
    func lookAround(_ store: Int) throws(Failure) {
        for resource in Resource.all.indices {
            number += 1
            try make(ScheduleStep(.look, store: store, resource: resource, number: number))
        }
    }

    /// Opens the folder as its only user, and checks everything in it.
    func inspect() throws(Failure) {
        for store in workers.indices { kill(store) }
        guard try start(0) else { throw failure("the folder cannot be opened any more") }
        try lookAround(0)
        let usage = workers[0]?.usage() ?? []
        let files = folder.names(in: "bodies").count
        guard usage.first == files else { throw failure("\(files) body files, counted \(usage)") }
    }

    private func failure(_ text: String) -> Failure {
        Failure(text: text + "\n" + steps.suffix(60).map(\.description).joined(separator: "\n"))
    }
}
