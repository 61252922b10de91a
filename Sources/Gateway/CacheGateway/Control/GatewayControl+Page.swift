import CacheSemantics
import CacheStorage
import Clocks
import ControlServing
import JSON
import LocatedYAML

/// The operations of the gateway's page: itself, the stored responses and the clock.
extension GatewayControl {
    private enum AdvanceKey: String, MapKey {
        case by
        static let mapName = "an advance"
    }
    private enum ClockKey: String, MapKey {
        case running
        static let mapName = "a clock"
    }
    private static let mostListed = 10_000

    /// The page and its files.
    static var pages: [ControlOperation] {
        [
            .file(
                "/",
                name: "page",
                "Returns the page that shows the stored responses and controls the clock.",
                EmbeddedFiles.gateway_html,
                type: "text/html"
            ),
            .file(
                "/gateway.css",
                name: "pageStyle",
                "Returns the style sheet of the page.",
                EmbeddedFiles.gateway_css,
                type: "text/css"
            ),
            .file(
                "/gateway.js",
                name: "pageScript",
                "Returns the script of the page.",
                EmbeddedFiles.gateway_js,
                type: "text/javascript"
            ),
        ] + PageFiles.operations
    }

    /// Lists the stored responses.
    static func stored(in gateway: Gateway) -> ControlOperation {
        let summary = "Shows the time and the stored responses, those used most recently first."
        return ControlOperation(.get("/stored"), name: "readStored", summary) {
            request throws(ControlProblem) in
            let text = request.query.first { $0.name == "limit" }?.value ?? "100"
            guard let most = Int(text), (0...mostListed).contains(most) else {
                throw .value("query", found: "limit=\(text)", expected: "0 to \(mostListed)")
            }
            do throws(StorageError) {
                let entries = try gateway.listing(most: most)
                return .json(
                    time(of: gateway).adding([
                        "stored": .integer(gateway.entryCount), "entries": .array(entries),
                    ])
                )
            } catch {
                throw ControlProblem(status: 500, error.description)
            }
        }.with {
            $0.answer = ["type": "object"]
            $0.isSlow = true
            $0.query = [.init("limit", "The largest number of stored responses to list; by default 100.")]
        }
    }

    /// Reads, advances, stops and starts the clock.
    static func clock(of gateway: Gateway) -> [ControlOperation] {
        [
            ControlOperation(.get("/clock"), name: "readClock", "Shows the time.") { _ in
                .json(time(of: gateway))
            },
            ControlOperation(
                .post("/clock/advance"),
                name: "advanceClock",
                "Advances the clock, if the gateway was started with --movable-clock."
            ) { request throws(ControlProblem) in
                let time = try request.read(AdvanceKey.self) { $0.required(.by, .duration) ?? .zero }
                try movable(gateway).advance(by: time)
                return .json(Self.time(of: gateway))
            }.with { $0.content = object("by", type: "string") },
            ControlOperation(
                .put("/clock"),
                name: "setClock",
                "Stops the clock, or starts it again, if the gateway was started with --movable-clock."
            ) { request throws(ControlProblem) in
                let isRunning = try request.read(ClockKey.self) { $0.required(.running, .bool) ?? true }
                let clock = try movable(gateway)
                if isRunning { clock.run() } else { clock.stop() }
                return .json(time(of: gateway))
            }.with { $0.content = object("running", type: "boolean") },
        ].map { $0.with { $0.answer = schema("Time") } }
    }

    private static func movable(_ gateway: Gateway) throws(ControlProblem) -> MovableClock {
        guard let clock = gateway.clock as? MovableClock else {
            throw ControlProblem(
                status: 409,
                "The gateway uses the system's clock. Start it with --movable-clock to control its clock."
            )
        }
        return clock
    }

    private static func time(of gateway: Gateway) -> JSONValue {
        let (clock, seconds) = (gateway.clock as? MovableClock, gateway.clock.wallSeconds)
        return [
            "now": .string(gateway.clock.now.text), "seconds": .decimal(seconds, places: 3),
            "running": .bool(clock?.isRunning ?? true), "movable": .bool(clock != nil),
        ]
    }

    // MARK: Schemas

    private static func object(_ member: String, type: String) -> JSONValue {
        let property: JSONValue = ["type": .string(type)]
        return ["type": "object", "required": [.string(member)], "properties": .object([(member, property)])]
    }

    static var timeSchema: JSONValue {
        let members = [
            ("now", "string"), ("seconds", "number"), ("running", "boolean"), ("movable", "boolean"),
        ]
        return ["type": "object", "properties": .object(members.map { ($0.0, ["type": .string($0.1)]) })]
    }

    static func schema(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }
}
