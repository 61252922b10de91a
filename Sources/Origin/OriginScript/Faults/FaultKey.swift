import JSON
import LocatedYAML

/// The keys of a fault.
package enum FaultKey: String, MapKey {
    case at, byte, fraction
    case `do`
    case chance, burst, requests, from
    case `for`
    case every, path
    package static let mapName = "a fault"

    /// Whether the key restricts when the fault happens; such keys can follow a fault that is written as text.
    var isModifier: Bool {
        switch self {
        case .at, .byte, .fraction, .do: false
        default: true
        }
    }

    /// The expected form of the value.
    var expected: String { row.value ?? "" }

    /// The key's row of the table.
    package var row: ReferenceRow {
        switch self {
        case .at:
            ReferenceRow(
                rawValue,
                takes: ValueForm("an event", SchemaValues.words(FaultEvent.allCases.map(\.rawValue))),
                "The event",
                example: "{at: body, do: reset}"
            )
        case .byte:
            ReferenceRow(
                rawValue,
                takes: ValueForm("bytes such as 100 or 0..600", ["type": ["integer", "string"]]),
                default: "0",
                "The number of bytes of the event before the fault; if there are fewer, after the last byte",
                example: "{at: body, byte: 100, do: reset}"
            )
        case .fraction:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a share such as 0.5, 50% or 0.1..0.9", ["type": ["number", "string"]]),
                "The share of the event's bytes before the fault, in place of `byte`",
                example: "{at: body, fraction: 50%, do: reset}"
            )
        case .do:
            ReferenceRow(
                rawValue,
                takes: ValueForm("an action", Self.actionSchema),
                "The action, as text or as a map of its name to its value",
                example: "{at: body, do: {slow: 1KiB}}"
            )
        case .chance:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a share above 0 and up to 1, such as 30% or 0.3",
                    ["type": ["number", "string"]]
                ),
                default: "1",
                "The probability of the fault",
                example: "reset@head chance=30%"
            )
        case .burst:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a number of requests from 1 to 10000", SchemaValues.integer(1...10_000)),
                default: "1",
                "The number of consecutive requests that are affected once the fault is drawn",
                example: "reset@head chance=2% burst=5"
            )
        case .requests:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "the number of a request, from 1, or a range such as 2..4",
                    ["type": ["integer", "string"], "pattern": "^[0-9]+(\\.\\.[0-9]+)?$"]
                ),
                default: "all",
                "The requests that are affected: of the route, or of the whole scenario or server for its own faults",
                example: "status=503@before-head requests=2..4"
            )
        case .from:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a duration such as 10s", SchemaValues.duration),
                default: "0s",
                "The time from the start to the first window in which the fault happens",
                example: "refuse@accept from=10s"
            )
        case .for:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a duration above 0 such as 10s", SchemaValues.duration),
                default: "unlimited",
                "The length of each window",
                example: "refuse@accept from=10s for=30s"
            )
        case .every:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a duration above 0 such as 10s", SchemaValues.duration),
                default: "one window",
                "The time from the start of a window to that of the next; at least as long as `for`",
                example: "refuse@accept for=1s every=5s"
            )
        case .path:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a path, a prefix that ends in *, or *", SchemaValues.text),
                default: "all",
                "The paths to which a fault of a scenario or server applies",
                example: "close@request-body path=/a*"
            )
        }
    }

    private static var actionSchema: JSONValue {
        let names = FaultAction.Kind.allCases.map(\.rawValue).joined(separator: "|")
        return [
            "anyOf": [
                ["type": "string", "pattern": .string("^(\(names))(=.*)?$")],
                SchemaValues.definition("faultAction"),
            ]
        ]
    }
}

/// The keys of an action that is a map: the kinds that take a value, and `retry-after`.
package struct FaultActionKey: MapKey {
    package static let mapName = "an action of a fault"
    static let retryAfter = FaultActionKey(name: "retry-after")
    static let status = FaultActionKey(name: FaultAction.Kind.status.rawValue)
    package static let allCases: [FaultActionKey] =
        FaultAction.Kind.allCases.filter { $0.row.reference.value != nil }.map { .init(name: $0.rawValue) }
        + [retryAfter]

    package let rawValue: String

    private init(name: String) { rawValue = name }

    /// Creates the key of a name; `nil` if there is none.
    package init?(rawValue: String) {
        guard Self.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }
}
