import Locks
import TestSupport
import Testing

@Suite("Monitor")
struct MonitorTests {
    @Test("A wait ends when another thread has made true what it waits for")
    func wakes() {
        let number = Monitor(0)
        for _ in 0..<3 {
            startThread {
                number.withLock { $0 += 1 }
                number.wakeAll()
            }
        }
        #expect(number.wait { number, _ in number == 3 ? .done(number) : .wait() } == 3)
    }

    @Test("Who waits for a time that is over looks once more, and is told that it is late")
    func lateness() {
        let looks = Monitor([Bool]()).wait { looks, isLate in
            looks.append(isLate)
            return isLate ? .done(looks) : .wait(until: .zero)
        }
        #expect(looks == [false, true])
    }
}
