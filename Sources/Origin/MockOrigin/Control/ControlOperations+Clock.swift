import Clocks
import ControlServing
import HTTPServing
import JSON
import LocatedYAML

extension ControlOperations {
    var clockOperations: [ControlOperation] {
        [
            operation("GET", "/clock", "readClock", "Shows the time.", answers: "Time") {
                request throws(ControlProblem) in
                .json(Self.time(try stage(request)))
            },
            operation(
                "POST",
                "/clock/advance",
                "advanceClock",
                "Advances the clock and runs everything that becomes due.",
                answers: "Time"
            ) {
                request throws(ControlProblem) in
                let stage = try stage(request)
                let time = try request.read(ControlKey.Advance.self) { $0.required(.by, .duration) ?? .zero }
                guard let clock = stage.clock as? any SteerableClock else { throw Self.fixed }
                clock.advance(by: time)
                return Self.moved(stage)
            }.with { $0.content = Self.schema("Advance") },
            operation(
                "PUT",
                "/clock",
                "setClock",
                "Stops the clock, or starts it again.",
                answers: "Time"
            ) { request throws(ControlProblem) in
                let stage = try stage(request)
                let isRunning = try request.read(ControlKey.Clock.self) {
                    $0.required(.running, .bool) ?? true
                }
                guard let clock = stage.clock as? MovableClock else { throw Self.fixed }
                if isRunning { clock.run() } else { clock.stop() }
                return Self.moved(stage)
            }.with { $0.content = Self.schema("Clock") },
        ]
    }

    private static var fixed: ControlProblem {
        ControlProblem(
            status: 409,
            "The server's clock was supplied by its program and cannot be controlled here."
        )
    }

    private static func moved(_ stage: SiteInstance) -> ControlAnswer {
        let time = time(stage)
        stage.tell("clock", time)
        return .json(time)
    }

    private static func time(_ stage: SiteInstance) -> JSONValue {
        let now = stage.clock.wallSeconds
        return [
            "now": .string(HTTPMoment(wallSeconds: now).text()), "seconds": .decimal(now, places: 3),
            "running": .bool((stage.clock as? MovableClock)?.isRunning ?? !(stage.clock is VirtualClock)),
        ]
    }
}
