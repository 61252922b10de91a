import Locks
import Testing

@Suite("Lock")
struct LockTests {
    @Test("Increments of many tasks are all counted")
    func countsEveryIncrement() async {
        let lock = Lock(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 { lock.withLock { $0 += 1 } }
                }
            }
        }
        #expect(lock.withLock { $0 } == 80_000)
    }

    @Test("An error thrown inside leaves the lock free")
    func isFreeAfterAnError() {
        struct Failure: Error {}
        let lock = Lock("kept")
        #expect(throws: Failure.self) {
            try lock.withLock { _ throws(Failure) in throw Failure() }
        }
        #expect(lock.withLock { $0 } == "kept")
    }

    @Test("A lock inside an object counts increments of many tasks, and releases its state with the object")
    func belongsToAnObject() async {
        final class Element: Sendable {}
        final class Owner: Sendable {
            let state: Locked<(count: Int, element: Element)>
            init(_ element: Element) { state = Locked((0, element)) }
        }
        weak var element: Element?
        do {
            let owner = { (made: Element) in
                element = made
                return Owner(made)
            }(Element())
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<10_000 { owner.state.withLock { $0.count += 1 } }
                    }
                }
            }
            #expect(owner.state.withLock { $0.count } == 80_000)
            #expect(element != nil)
        }
        #expect(element == nil)
    }
}
