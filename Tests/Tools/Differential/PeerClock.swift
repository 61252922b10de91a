import CacheOracle
import CLibrary
import Locks

/// The clock of a run against a cache outside this process: real time, moved so that the run begins when every sequence does.
///
/// The cache itself runs under libfaketime with the same offset.
struct PeerClock: Sendable {
    /// Real seconds are moved by this many.
    let offset: Int

    /// Creates a clock whose sequences begin `delay` real seconds from now.
    init(beginningIn delay: Int) { offset = ExchangeSequence.start - Int(Self.real) - delay }

    private static var real: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Seconds since 1970, as the cache under test sees them.
    var seconds: Double { Self.real + Double(offset) }

    /// The whole second; `nil` near its ends, where the cache may see another.
    var second: Int? {
        let whole = seconds.rounded(.down)
        return (0.08...0.92).contains(seconds - whole) ? Int(whole) : nil
    }

    /// Blocks the thread until the given time.
    func wait(until moment: Double) { Self.wait(for: moment - seconds) }

    /// Blocks the thread for a number of seconds.
    static func wait(for seconds: Double) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        let end = now + .seconds(max(0, seconds))
        Monitor(()).wait { _, isLate in isLate ? .done(()) : .wait(until: end) }
    }
}
