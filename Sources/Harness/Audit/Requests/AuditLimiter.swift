package import Clocks
import Locks
import ReportFormats

/// Decides when a request may be sent: limits of their number, of their rate for each host, and of the whole time.
package final class AuditLimiter: Sendable {
    private struct State {
        var count = 0
        /// When the next request to a host may begin, in elapsed time.
        var next: [String: Duration] = [:]
        /// Hosts that get no more requests, with the reason.
        var closed: [String: String] = [:]
    }
    private enum Turn {
        case wait(Duration)
        case never(String)
    }
    private let settings: AuditSettings
    private let clock: any TimeSource
    private let start: Duration
    private let state = Lock(State())

    /// Creates a limiter; the time of the audit begins now.
    package init(_ settings: AuditSettings, clock: any TimeSource) {
        self.settings = settings
        self.clock = clock
        start = clock.elapsed
    }

    /// The number of requests that were admitted.
    package var count: Int { state.withLock { $0.count } }

    /// The time that is left.
    package var timeLeft: Duration { max(.zero, start + settings.timeLimit.limited - clock.elapsed) }

    /// Waits for the turn of a request to a host; returns the reason why it may not be sent, `nil` if it may.
    ///
    /// If the task is cancelled, the wait ends.
    package func admit(_ host: String) async -> String? {
        switch turn(of: host) {
        case .never(let reason): return reason
        case .wait(let time):
            // What is thrown is a cancellation, which the caller notices.
            if time > .zero { try? await clock.sleep(for: time) }
            return nil
        }
    }

    /// Refuses all further requests to a host.
    package func close(_ host: String, because reason: String) {
        state.withLock { $0.closed[host] = reason }
    }

    /// Delays further requests to a host.
    package func delay(_ host: String, by time: Duration) {
        let moment = clock.elapsed + time
        state.withLock { $0.next[host] = max($0.next[host] ?? .zero, moment) }
    }

    private func turn(of host: String) -> Turn {
        let now = clock.elapsed
        return state.withLock { state in
            if let reason = state.closed[host] { return .never(reason) }
            guard state.count < settings.requestLimit else {
                return .never(
                    "the limit of \(counted(settings.requestLimit, "request")) has been reached"
                )
            }
            let moment = max(now, state.next[host] ?? now)
            guard moment < start + settings.timeLimit.limited else {
                return .never("the limit of \(settings.timeLimit.wholeSeconds) s has been reached")
            }
            state.count += 1
            state.next[host] = moment + interval
            return .wait(moment - now)
        }
    }

    private var interval: Duration {
        guard let rate = settings.requestsPerSecond, rate > 0 else { return .zero }
        return .seconds(1) / rate
    }
}
