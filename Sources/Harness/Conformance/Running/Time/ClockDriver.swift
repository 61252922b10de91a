import CacheClient
import Clocks
import Locks

/// The activity around a scenario at one point in time.
enum Activity: Sendable, Hashable {
    /// Something can still happen without a move of the clock, as described.
    case busy(ActivityNote)
    /// Nothing can happen unless the clock moves or a held response is released; the notes describe what waits.
    case quiet(waiting: [ActivityNote])

    /// Whether nothing can happen without a move of the clock.
    var isQuiet: Bool {
        if case .quiet = self { true } else { false }
    }
}

/// A description of an activity for error messages; its text is created only for those, because activities are checked
/// many times a step.
struct ActivityNote: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    private let port: UInt16?
    private let text: String

    /// Creates a note about the connection from a port of the client.
    init(port: UInt16? = nil, _ text: String) {
        self.port = port
        self.text = text
    }

    init(stringLiteral text: String) { self.init(text) }

    var description: String { port.map { "port \($0) \(text)" } ?? text }
}

/// The reason why the harness cannot continue a scenario.
package struct HarnessProblem: Error, Hashable, CustomStringConvertible {
    /// One sentence.
    package let description: String

    init(_ description: String) {
        self.description = description
    }

    /// The run is cancelled.
    static var runCancelled: HarnessProblem { HarnessProblem("the run was cancelled") }
}

/// Moves a scenario's clock while a step waits, and only when nothing else can happen.
///
/// Used on the thread that runs the scenario's steps. Everything that could end a wait raises `signal`, so nothing is
/// polled.
struct ClockDriver: ScenarioClockDriver {
    let clock: VirtualClock
    let signal: Signal
    /// The real time limit of a wait: a defect of the harness must not block a CI job.
    var timeout: Duration = .seconds(20)
    /// Whether the run is cancelled, which raises `signal`.
    var isCancelled: () -> Bool = { false }
    let activity: () -> Activity
    /// Returns the current loop of the client, which is driven during a wait; `nil` if it has a thread.
    var loop: (() -> ClientLoop)?
    var clockMoves: [ClockMove] { moves.withLock { $0 } }
    private let moves = Lock<[ClockMove]>([])
    private let realTime = SystemClock()

    init(clock: VirtualClock, signal: Signal, activity: @escaping () -> Activity) {
        self.clock = clock
        self.signal = signal
        self.activity = activity
    }

    /// Waits until `isDone`, moving the clock to the earliest deadline whenever nothing else can happen.
    func wait(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem) {
        try work(until: isDone) { seen, deadline throws(HarnessProblem) in
            switch activity() {
            case .busy(let reason): try sleep(after: seen, until: deadline, "\(what()): \(reason)")
            case .quiet(let waiting):
                // Activity that ended between the two checks has raised the signal.
                if signal.count != seen || advanceToNextDeadline() { return }
                throw HarnessProblem(
                    "nothing can happen any more: \(([what()] + waiting.map(\.description)).joined(separator: "; "))"
                )
            }
        }
    }

    /// Waits until nothing can happen without a move of the clock, which stands still.
    func settle() throws(HarnessProblem) {
        var reason: ActivityNote = ""
        try rest(for: reason.description) {
            guard case .busy(let what) = activity() else { return true }
            reason = what
            return false
        }
    }

    /// Waits until `isDone`, which does not depend on the clock; the clock stands still.
    func rest(for what: @autoclosure () -> String, until isDone: () -> Bool) throws(HarnessProblem) {
        try work(until: isDone) { seen, deadline throws(HarnessProblem) in
            try sleep(after: seen, until: deadline, what())
        }
    }

    /// Drives the client until `isDone`, and does what may help in between.
    private func work(
        until isDone: () -> Bool,
        between help: (_ seen: UInt64, _ deadline: Duration) throws(HarnessProblem) -> Void
    ) throws(HarnessProblem) {
        let deadline = realTime.elapsed + timeout
        while true {
            loop?().work()
            let seen = signal.count
            if isDone() { return }
            if isCancelled() { throw .runCancelled }
            try help(seen, deadline)
        }
    }

    /// Moves the clock forward by `duration`, stopping at each deadline on the way until nothing else can happen.
    func advance(by duration: Duration) throws(HarnessProblem) {
        let target = clock.elapsed + max(duration, .zero)
        try settle()
        while let deadline = clock.nextDeadline, deadline <= target {
            note(deadline - clock.elapsed)
            clock.advance(by: deadline - clock.elapsed)
            try settle()
        }
        note(target - clock.elapsed)
        clock.advance(by: target - clock.elapsed)
    }

    private func advanceToNextDeadline() -> Bool {
        let before = clock.elapsed
        guard clock.advanceToNextDeadline() else { return false }
        let move = ClockMove(moment: before.seconds, seconds: (clock.elapsed - before).seconds)
        moves.withLock { $0.append(move) }
        return true
    }

    private func note(_ length: Duration) {
        let move = ClockMove(moment: clock.elapsed.seconds, seconds: length.seconds)
        moves.withLock { $0.append(move) }
    }

    /// Sets only the wall clock.
    func jumpWall(by duration: Duration) {
        let move = ClockMove(moment: clock.elapsed.seconds, seconds: duration.seconds, isWallAlone: true)
        moves.withLock { $0.append(move) }
        clock.jump(by: duration)
    }

    /// Waits until something may have changed since the count of `signal` was `seen`.
    private func sleep(after seen: UInt64, until deadline: Duration, _ what: @autoclosure () -> String)
        throws(HarnessProblem)
    {
        guard let loop else {
            if signal.wait(after: seen, until: deadline) { return }
            throw givenUp(what())
        }
        let rest = deadline - realTime.elapsed
        guard rest > .zero else { throw givenUp(what()) }
        // A raise after `seen` was read has woken the loop, or will.
        if signal.count == seen { loop().wait(for: rest) }
    }

    private func givenUp(_ what: String) -> HarnessProblem {
        HarnessProblem("gave up after \(secondsText(timeout.seconds)) of real time: \(what)")
    }
}
