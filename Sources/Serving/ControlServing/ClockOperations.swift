package import Clocks
package import JSON
import LocatedYAML
import WireSyntax

/// The operations on a clock, the same in every control API.
package struct ClockOperations: Sendable {
    private enum AdvanceKey: String, MapKey {
        case by
        static let mapName = "a move of the clock"
    }
    private enum RunningKey: String, MapKey {
        case running
        static let mapName = "a setting of the clock"
    }
    /// The clock that a request is about.
    package struct Subject: Sendable {
        let clock: any TimeSource
        /// Receives the time after each change.
        let onChange: @Sendable (JSONValue) -> Void

        package init(_ clock: any TimeSource, onChange: @escaping @Sendable (JSONValue) -> Void = { _ in }) {
            (self.clock, self.onChange) = (clock, onChange)
        }
    }
    private let fixed: String
    private let subject: @Sendable (ControlRequest) throws(ControlProblem) -> Subject

    /// Creates the operations on the clock of each request; `fixed` is the sentence about one that cannot be changed.
    package init(
        fixed: String,
        subject: @escaping @Sendable (ControlRequest) throws(ControlProblem) -> Subject
    ) {
        (self.fixed, self.subject) = (fixed, subject)
    }

    /// All operations.
    package var all: [ControlOperation] {
        [
            ControlOperation(.get("/clock"), "readClock", "Shows the time.", answers: "Time") {
                request throws(ControlProblem) in
                .json(Self.time(of: try subject(request).clock))
            },
            ControlOperation(
                .post("/clock/advance"),
                "advanceClock",
                "Advances the clock, if it can be moved, and runs everything that becomes due.",
                answers: "Time"
            ) { request throws(ControlProblem) in
                let time = try request.read(AdvanceKey.self) { $0.required(.by, .duration) ?? .zero }
                return try change(request) { ($0 as? any AdvanceableClock)?.advance(by: time) }
            }.with { $0.content = .schema("Advance") },
            ControlOperation(
                .put("/clock"),
                "setClock",
                "Stops the clock, or starts it again, if it can be moved.",
                answers: "Time"
            ) { request throws(ControlProblem) in
                let isRunning = try request.read(RunningKey.self) { $0.required(.running, .bool) ?? true }
                return try change(request) { clock in
                    (clock as? MovableClock).map { isRunning ? $0.run() : $0.stop() }
                }
            }.with { $0.content = .schema("Clock") },
        ]
    }

    /// Changes the clock of a request by a function that returns `nil` if it cannot.
    private func change(
        _ request: ControlRequest,
        _ change: (any TimeSource) -> Void?
    ) throws(ControlProblem) -> ControlAnswer {
        let subject = try subject(request)
        guard change(subject.clock) != nil else {
            let only = "The clock can be advanced, but neither stopped nor started."
            throw ControlProblem(status: 409, subject.clock is any AdvanceableClock ? only : fixed)
        }
        let time = Self.time(of: subject.clock)
        subject.onChange(time)
        return .json(time)
    }

    /// Returns the time of a clock, and what can be done to it.
    package static func time(of clock: any TimeSource) -> JSONValue {
        let time = clock.timeSinceEpoch
        let isRunning = (clock as? MovableClock)?.isRunning ?? !(clock is VirtualClock)
        return [
            "now": .string(CivilTimestamp(secondsSinceEpoch: time.wholeSeconds).imfFixdate),
            "seconds": .decimal(time.seconds, places: 3), "running": .bool(isRunning),
            "movable": .bool(clock is any AdvanceableClock),
        ]
    }

    /// The schemas of the operations' requests and responses, by name.
    package static var schemas: JSONValue {
        [
            "Advance": .members(["by": .durationSchema]),
            "Clock": .members(["running": ["type": "boolean"]]),
            "Time": .members([
                "now": ["type": "string"], "seconds": ["type": "number"], "running": ["type": "boolean"],
                "movable": ["type": "boolean"],
            ]),
        ]
    }
}
