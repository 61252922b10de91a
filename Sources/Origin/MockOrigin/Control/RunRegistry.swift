import Clocks
import ControlServing
import Locks

/// The namespaces of runs, with their tokens and times of expiry.
final class RunRegistry: Sendable {
    struct Run: Sendable {
        var name: String
        var token: AccessToken
        /// The time after which it expires without a request to the control API with its token.
        var lifetime: Duration
        /// The time of expiry on the registry's clock.
        var expires: Duration
    }
    private struct State {
        var runs: [String: Run] = [:]
        var sleepers: [String: Sleeper] = [:]
        var made = 0
    }
    private let clock: any TimeSource
    private let close: @Sendable (String) -> Void
    private let state = Lock(State())
    static let maximumRuns = 1000

    init(clock: any TimeSource, close: @escaping @Sendable (String) -> Void) {
        self.clock = clock
        self.close = close
    }

    /// Returns the time at which a run expires if its token is not used again.
    func wallTimeOfExpiry(_ run: Run) -> Double {
        clock.wallSeconds + max((run.expires - clock.elapsed).seconds, 0)
    }

    var runs: [Run] { state.withLock { $0.runs.values.sorted { $0.name < $1.name } } }

    /// Returns a name that no run has had.
    func freshName() -> String {
        state.withLock { state in
            repeat { state.made += 1 } while state.runs["run-\(state.made)"] != nil
            return "run-\(state.made)"
        }
    }

    func add(_ name: String, lifetime: Duration) -> Run {
        let run = Run(name: name, token: .random(), lifetime: lifetime, expires: clock.elapsed + lifetime)
        state.withLock { $0.runs[name] = run }
        watch(name, for: lifetime)
        return run
    }

    /// Returns the run of a token and renews its lifetime.
    ///
    /// Compares every token, so that the time reveals nothing.
    func name(of shown: [UInt8]) -> String? {
        let now = clock.elapsed
        return state.withLock { state in
            var found: String?
            for run in state.runs.values where run.token.matches(shown) { found = run.name }
            if let found, let run = state.runs[found] { state.runs[found]?.expires = now + run.lifetime }
            return found
        }
    }

    /// Ends a run; returns false if there is none with the name.
    func remove(_ name: String) -> Bool {
        let (isKnown, sleeper) = state.withLock { state in
            (state.runs.removeValue(forKey: name) != nil, state.sleepers.removeValue(forKey: name))
        }
        sleeper?.cancel()
        if isKnown { close(name) }
        return isKnown
    }

    private func watch(_ name: String, for time: Duration) {
        let sleeper = clock.schedule(after: time) { [weak self] in self?.look(name) }
        let isKnown = state.withLock { state in
            guard state.runs[name] != nil else { return false }
            state.sleepers[name] = sleeper
            return true
        }
        if !isKnown { sleeper.cancel() }
    }

    /// Ends a run that has expired; checks again later if it was used meanwhile.
    private func look(_ name: String) {
        guard let run = state.withLock({ $0.runs[name] }) else { return }
        let rest = run.expires - clock.elapsed
        if rest > .zero { watch(name, for: rest) } else { _ = remove(name) }
    }
}
