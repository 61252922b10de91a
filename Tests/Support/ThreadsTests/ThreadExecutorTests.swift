import CLibrary
import Testing
import Threads

@Suite("An executor with its own thread", .timeLimit(.minutes(20)))
struct ThreadExecutorTests {
    @Test("Tasks run on one thread, including those that have waited for its start")
    func thread() async {
        let executor = ThreadExecutor()
        let early = Task(executorPreference: executor) { pthread_self().hashValue }
        #expect(executor.start())
        #expect(executor.start())
        let late = Task(executorPreference: executor) { pthread_self().hashValue }
        #expect(await early.value == late.value)
    }

    @Test("An executor ends with its last task, even if that is retained")
    func end() async {
        weak var executor: ThreadExecutor?
        let task: Task<Void, Never>
        do {
            let started = ThreadExecutor.started()
            executor = started
            task = Task(executorPreference: started) {}
        }
        await task.value
        while executor != nil { await Task.yield() }
        withExtendedLifetime(task) {}
    }
}
