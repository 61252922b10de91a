import Locks
import TestSupport
import Testing

@Suite("Monitor")
struct MonitorTests {
    @Test("A wait ends when another thread has made its condition true")
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

    @Test("A wait whose time is over checks once more, and reports that it is late")
    func lateness() {
        let looks = Monitor([Bool]()).wait { looks, isLate in
            looks.append(isLate)
            return isLate ? .done(looks) : .wait(until: .zero)
        }
        #expect(looks == [false, true])
    }
}
