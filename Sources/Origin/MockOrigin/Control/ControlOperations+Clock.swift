import Clocks
import ControlServing
import HTTPServing
import JSON
import LocatedYAML

extension ControlOperations {
    var clockOperations: [ControlOperation] {
        [
            operation(.get("/clock"), "readClock", "Shows the time.", answers: "Time") {
                request throws(ControlProblem) in
                .json(Self.time(try namespace(request)))
            },
            operation(
                .post("/clock/advance"),
                "advanceClock",
                "Advances the clock and runs everything that becomes due.",
                answers: "Time"
            ) {
                request throws(ControlProblem) in
                let namespace = try namespace(request)
                let time = try request.read(ControlKey.Advance.self) { $0.required(.by, .duration) ?? .zero }
                guard let clock = namespace.clock as? any AdvanceableClock else { throw Self.fixed }
                clock.advance(by: time)
                return Self.moved(namespace)
            }.with { $0.content = .schema("Advance") },
            operation(
                .put("/clock"),
                "setClock",
                "Stops the clock, or starts it again.",
                answers: "Time"
            ) { request throws(ControlProblem) in
                let namespace = try namespace(request)
                let isRunning = try request.read(ControlKey.Clock.self) {
                    $0.required(.running, .bool) ?? true
                }
                guard let clock = namespace.clock as? MovableClock else { throw Self.fixed }
                if isRunning { clock.run() } else { clock.stop() }
                return Self.moved(namespace)
            }.with { $0.content = .schema("Clock") },
        ]
    }

    private static var fixed: ControlProblem {
        ControlProblem(
            status: 409,
            "The server's clock was supplied by its program and cannot be controlled here."
        )
    }

    private static func moved(_ namespace: OriginNamespace) -> ControlAnswer {
        let time = time(namespace)
        namespace.publish("clock", time)
        return .json(time)
    }

    private static func time(_ namespace: OriginNamespace) -> JSONValue {
        let now = namespace.clock.wallSeconds
        return [
            "now": .string(HTTPTimestamp(wallSeconds: now).text()), "seconds": .decimal(now, places: 3),
            "running": .bool(
                (namespace.clock as? MovableClock)?.isRunning ?? !(namespace.clock is VirtualClock)
            ),
        ]
    }
}
