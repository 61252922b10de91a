import Locks
import Testing
import Threads

@Suite("Threads of the operating system")
struct SystemThreadTests {
    @Test("Joining waits until the closures of all threads have returned")
    func join() {
        let count = Lock(0)
        let threads = (0..<8).map { _ in SystemThread { count.withLock { $0 += 1 } } }
        for thread in threads { thread.join() }
        #expect(count.withLock { $0 } == 8)
    }

    @Test("A detached thread runs its closure")
    func detach() {
        let done = Monitor(false)
        SystemThread.start {
            done.withLock { $0 = true }
            done.wakeAll()
        }?.detach()
        done.wait { isDone, _ in isDone ? .done(()) : .wait() }
    }
}
