import CacheClient
import Clocks
import Conformance
import Fetching
import Locks
import Scenarios

/// A running chain or batch and its observation.
final class GroupOperation: StackOperation {
    private struct State {
        var results: [String: FetchObservation] = [:]
        var course: [(at: Duration, what: String)] = []
        var startedAtByName: [String: Duration] = [:]
        var inProgress: Set<String> = []
        var atOnce = 0
        var completions = 0
        var error: (code: Int, text: String)?
        var endedAt: Duration?
        var cancel: (@Sendable () -> Void)?

        mutating func begin(_ name: String, at moment: Duration) {
            course.append((moment, "send \(name)"))
            inProgress.insert(name)
            atOnce = max(atOnce, inProgress.count)
        }
    }
    let title: String
    /// The prefix of its requests' tags, which their names follow.
    let number = Lock(0)
    let steps: [FetchStep]
    private let clock: any TimeSource
    private let signal: Signal
    private let monitor: StackMonitor
    private let startedAt: Duration
    /// The number of lines of the log before the start.
    private let logStart: Int
    private let state = Lock(State())

    init(_ steps: [FetchStep], title: String, stack: StackSessions) {
        self.steps = steps
        self.title = title
        clock = stack.environment.clock
        signal = stack.environment.signal
        monitor = stack.monitor
        startedAt = clock.elapsed
        logStart = stack.monitor.log.count
    }

    var isFinished: Bool { state.withLock { $0.endedAt != nil } }

    func cancel() { state.withLock { $0.cancel }?() }

    /// Returns the tag of a request.
    func tag(_ step: FetchStep) -> String { "\(number.withLock { $0 })/\(step.name)" }

    /// Sets the function that cancels the group.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    // MARK: Events

    func observe(_ event: FetchEvent, of name: String) {
        let now = clock.elapsed
        switch event {
        case .created: state.withLock { $0.startedAtByName[name] = now }
        case .started: state.withLock { $0.begin(name, at: now) }
        case .retrying: state.withLock { _ = $0.inProgress.remove(name) }
        case .succeeded(_, let response): record(FetchObservation(name, response))
        case .failed(_, let error): record(FetchObservation(name, error))
        case .completed: if !callsBack(name) { ended(name) }
        case .cacheRead, .cacheWritten: break
        }
    }

    private func callsBack(_ name: String) -> Bool {
        isCalledBack && steps.contains { $0.name == name && $0.hasCallbacks }
    }

    /// Whether requests report their end by their own callbacks.
    private var isCalledBack: Bool { reportsEndByCallback.withLock { $0 } }
    let reportsEndByCallback = Lock(false)

    private func record(_ seen: FetchObservation) {
        let now = clock.elapsed
        state.withLock { state in
            var seen = seen
            seen.caller.took = (now - (state.startedAtByName[seen.name] ?? startedAt)).seconds
            state.results[seen.name] = seen
            state.inProgress.remove(seen.name)
        }
    }

    /// Records that a request has ended and its callback, if any, has returned.
    func ended(_ name: String) {
        let now = clock.elapsed
        state.withLock { $0.course.append((now, "end \(name)")) }
    }

    /// Records a call of the group's completion, by default without an error.
    func completed(_ error: FetchError? = nil) {
        let now = clock.elapsed
        state.withLock { state in
            state.completions += 1
            if let error { state.error = (error.code.rawValue, error.description) }
            if state.endedAt == nil { state.endedAt = now }
            // Break the cycle: the function retains the chain, which retains this operation.
            state.cancel = nil
        }
        signal.raise()
    }

    // MARK: Outcome

    func judge(_ expectation: StackExpectation, _ context: ExpectationContext, _ record: inout StepRecord) {
        guard case .group(let expectation) = expectation else { return }
        let (seen, course) = observation
        for (step, result) in zip(steps, seen.results) {
            record.exchanges.append(
                CallerExchange(method: step.method, target: step.path, fields: [], seen: result.caller)
            )
        }
        record.course += course.map { StepRecord.Moment(at: ($0.at - startedAt).seconds, what: $0.what) }
        record.mismatches += expectation.check(seen, steps, context: context)
    }

    private var observation: (GroupObservation, course: [(at: Duration, what: String)]) {
        let log = monitor.log.dropFirst(logStart)
        return state.withLock { state in
            var seen = GroupObservation()
            seen.results = steps.map { state.results[$0.name] ?? FetchObservation(neverBegun: $0.name) }
            seen.course = state.course.map(\.what)
            seen.atOnce = state.atOnce
            seen.completions = state.completions
            seen.error = state.error
            seen.took = ((state.endedAt ?? startedAt) - startedAt).seconds
            seen.log = Array(log)
            return (seen, state.course)
        }
    }
}
