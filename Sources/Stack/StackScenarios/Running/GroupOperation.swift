import Clocks
import Conformance
import Fetching
import Locks
import Scenarios

/// A chain or batch under way, with what is seen of it.
final class GroupOperation: StackOperation {
    private struct State {
        var results: [String: FetchObservation] = [:]
        var course: [(at: Duration, what: String)] = []
        var begunAt: [String: Duration] = [:]
        var underWay: Set<String> = []
        var atOnce = 0
        var completions = 0
        var error: (code: Int, text: String)?
        var endedAt: Duration?
        var cancel: (@Sendable () -> Void)?
    }
    let title: String
    /// What its requests are tagged with, besides their names.
    let number = Lock(0)
    let steps: [FetchStep]
    private let clock: any TimeSource
    private let signal: Signal
    private let monitor: StackMonitor
    private let startedAt: Duration
    /// How many lines the log had before.
    private let logBegin: Int
    private let state = Lock(State())

    init(_ steps: [FetchStep], title: String, stack: StackSessions) {
        self.steps = steps
        self.title = title
        clock = stack.stage.clock
        signal = stack.stage.signal
        monitor = stack.monitor
        startedAt = clock.elapsed
        logBegin = stack.monitor.log.count
    }

    var isOver: Bool { state.withLock { $0.endedAt != nil } }

    func cancel() { state.withLock { $0.cancel }?() }

    /// The tag of a request.
    func tag(_ step: FetchStep) -> String { "\(number.withLock { $0 })/\(step.name)" }

    /// Keeps what cancels it.
    func onCancel(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    // MARK: What happens

    func observe(_ event: FetchEvent, of name: String) {
        let now = clock.elapsed
        switch event {
        case .created: state.withLock { $0.begunAt[name] = now }
        case .started:
            state.withLock { state in
                state.course.append((now, "send \(name)"))
                state.underWay.insert(name)
                state.atOnce = max(state.atOnce, state.underWay.count)
            }
        case .retrying: state.withLock { _ = $0.underWay.remove(name) }
        case .succeeded(_, let response): note(FetchObservation(name, response))
        case .failed(_, let error): note(FetchObservation(name, error))
        case .completed: if !callsBack(name) { ended(name) }
        case .cacheRead, .cacheWritten: break
        }
    }

    private func callsBack(_ name: String) -> Bool {
        isCalledBack && steps.contains { $0.name == name && $0.hasCallbacks }
    }

    /// Whether each request has callbacks of its own.
    private var isCalledBack: Bool { tellsByCallback.withLock { $0 } }
    let tellsByCallback = Lock(false)

    private func note(_ seen: FetchObservation) {
        let now = clock.elapsed
        state.withLock { state in
            var seen = seen
            seen.caller.took = (now - (state.begunAt[seen.name] ?? startedAt)).seconds
            state.results[seen.name] = seen
            state.underWay.remove(seen.name)
        }
    }

    /// A request has ended, and its callback has been called, if it has one.
    func ended(_ name: String) {
        let now = clock.elapsed
        state.withLock { $0.course.append((now, "end \(name)")) }
    }

    /// The whole has ended and was told so, by default without error.
    func completed(_ error: FetchError? = nil) {
        let now = clock.elapsed
        state.withLock { state in
            state.completions += 1
            if let error { state.error = (error.code, error.description) }
            if state.endedAt == nil { state.endedAt = now }
            // It would keep the chain, which keeps this.
            state.cancel = nil
        }
        signal.raise()
    }

    // MARK: What came of it

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
        let log = monitor.log.dropFirst(logBegin)
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
