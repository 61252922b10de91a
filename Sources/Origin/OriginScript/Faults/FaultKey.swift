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

    /// Whether it restricts when the fault happens, and can follow a fault that is written as text.
    var isModifier: Bool {
        switch self {
        case .at, .byte, .fraction, .do: false
        default: true
        }
    }

    /// What the value must be.
    var expected: String { row.value ?? "" }

    /// The key's row of the table.
    package var row: ReferenceRow {
        switch self {
        case .at:
            ReferenceRow(
                rawValue,
                value: "an event",
                "The event",
                example: "{at: body, do: reset}",
                schema: SchemaValues.words(FaultEvent.allCases.map(\.rawValue))
            )
        case .byte:
            ReferenceRow(
                rawValue,
                value: "bytes such as 100 or 0..600",
                default: "0",
                "After how many bytes of the event; beyond the last byte, after it",
                example: "{at: body, byte: 100, do: reset}",
                schema: ["type": ["integer", "string"]]
            )
        case .fraction:
            ReferenceRow(
                rawValue,
                value: "a share such as 0.5, 50% or 0.1..0.9",
                "After which share of the event's bytes, in place of `byte`",
                example: "{at: body, fraction: 50%, do: reset}",
                schema: ["type": ["number", "string"]]
            )
        case .do:
            ReferenceRow(
                rawValue,
                value: "an action",
                "The action, as text or as a map of its name to its value",
                example: "{at: body, do: {slow: 1KiB}}",
                schema: Self.actionSchema
            )
        case .chance:
            ReferenceRow(
                rawValue,
                value: "a share above 0 and up to 1, such as 30% or 0.3",
                default: "1",
                "The probability of the fault",
                example: "reset@head chance=30%",
                schema: ["type": ["number", "string"]]
            )
        case .burst:
            ReferenceRow(
                rawValue,
                value: "a number of requests from 1 to 10000",
                default: "1",
                "How many requests in a row are affected once the fault is drawn",
                example: "reset@head chance=2% burst=5",
                schema: SchemaValues.integer(1...10_000)
            )
        case .requests:
            ReferenceRow(
                rawValue,
                value: "a number of a request, from 1, or two as in 2..4",
                default: "all",
                "Which requests of the route, or of the whole scenario or server for its own faults",
                example: "status=503@before-head requests=2..4",
                schema: ["type": ["integer", "string"], "pattern": "^[0-9]+(\\.\\.[0-9]+)?$"]
            )
        case .from:
            ReferenceRow(
                rawValue,
                value: "a duration such as 10s",
                default: "0s",
                "The time from the start to the first window in which the fault happens",
                example: "refuse@accept from=10s",
                schema: SchemaValues.duration
            )
        case .for:
            ReferenceRow(
                rawValue,
                value: "a duration above 0 such as 10s",
                default: "unlimited",
                "The length of each window",
                example: "refuse@accept from=10s for=30s",
                schema: SchemaValues.duration
            )
        case .every:
            ReferenceRow(
                rawValue,
                value: "a duration above 0 such as 10s",
                default: "one window",
                "The time from the start of a window to that of the next; at least as long as `for`",
                example: "refuse@accept for=1s every=5s",
                schema: SchemaValues.duration
            )
        case .path:
            ReferenceRow(
                rawValue,
                value: "a path, a prefix that ends in *, or *",
                default: "all",
                "The paths to which a fault of a scenario or server applies",
                example: "close@request-body path=/a*",
                schema: SchemaValues.text
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

    /// Creates the key of a name; `nil` where there is none.
    package init?(rawValue: String) {
        guard Self.allCases.contains(where: { $0.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }
}
