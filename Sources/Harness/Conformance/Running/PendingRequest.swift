import Clocks
import Locks
import Scenarios

/// A request of a step that has been sent.
final class PendingRequest: Sendable {
    let step: RequestStep
    private let observation = Lock<CallerObservation?>(nil)
    private let sleeper = Lock<Sleeper?>(nil)

    init(_ step: RequestStep) {
        self.step = step
    }

    /// The caller's observation; `nil` until the request has ended.
    var result: CallerObservation? { observation.withLock { $0 } }

    /// Sends the request; `signal` is raised when it ends.
    func begin(_ request: SubjectRequest, on environment: ScenarioEnvironment) {
        let clock = environment.clock
        let signal = environment.driver.signal
        let start = clock.elapsed
        let exchange = environment.subject.send(request) { [self] seen in
            var seen = seen
            if seen.took == 0 { seen.took = (clock.elapsed - start).seconds }
            end(seen)
            signal.raise()
        }
        guard let delay = step.cancelAfter, result == nil else { return }
        let timer = clock.schedule(after: delay) { exchange.cancel() }
        sleeper.withLock { $0 = timer }
        if result != nil { timer.cancel() }
    }

    private func end(_ seen: CallerObservation) {
        observation.withLock { $0 = $0 ?? seen }
        sleeper.withLock { $0 }?.cancel()
    }
}
