import JSON
import LocatedYAML
import OriginScript

extension ExpectKey {
    /// The rows of all keys in order.
    static let table: [KeyRow<ExpectKey, CallerExpectation>] = allCases.map(\.row)

    private static let eventNames = [
        "will-send", "response", "data", "data*", "will-cache", "finish", "fail",
    ]

    private var row: KeyRow<ExpectKey, CallerExpectation> {
        switch self {
        case .source:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a source, or a list of alternatives",
                    SchemaValues.oneOrMore(SchemaValues.words(Provenance.ofCaches.map(\.rawValue)))
                ),
                "Where the response came from: `origin`, `validated`, `memory`, `disk` or `none`; `cache` means "
                    + "memory or disk",
                example: "{source: [memory, disk]}"
            )
            .read { expectation, map, _ in
                expectation.sources = map.located(.source, Reader.choice(of: Provenance.ofCaches).oneOrMore())
            }
        case .stale:
            ReferenceRow(rawValue, takes: .truth, "Whether the response is stale", example: "{stale: false}")
                .read { expectation, map, _ in expectation.isStale = map.located(.stale, .bool) }
        case .status:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a status from 100 to 999, or a list of alternatives",
                    SchemaValues.oneOrMore(SchemaValues.integer(100...999))
                ),
                "The status code",
                example: "{status: [200, 206]}"
            )
            .read { expectation, map, _ in
                expectation.statuses = map.located(.status, Reader.integer(in: 100...999).oneOrMore())
            }
        case .fields:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of names to conditions", SchemaValues.definition("expectedFields")),
                "The header fields",
                example: "{fields: {Age: {at-least: 1}, Warning: absent}}"
            )
            .explained(
                "A condition is text (the field value, lines joined by `, `), `absent` or `present` (both "
                    + "without quotes), a comparison (below), `{not: text}`, `{contains: text}` or a moment"
            )
            .read { expectation, map, reading in
                expectation.fields = map.optional(.fields, reading.expectedFields) ?? []
            }
        case .body:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "text, or a map",
                    SchemaValues.either(SchemaValues.scalar, SchemaValues.definition("expectedBody"))
                ),
                "The content: this text, or one of `{size: N}`, `{same-as: LABEL}` (the bytes that an earlier "
                    + "labelled request got) and `{contains: text}`",
                example: "{body: {contains: one}}"
            )
            .read { expectation, map, reading in expectation.body = map.located(.body, reading.expectedBody) }
        case .age:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a number, or a comparison",
                    SchemaValues.comparison(of: ["type": "number"])
                ),
                "The age in seconds: the `Age` that the caller sees, or the result's age",
                example: "{age: {at-least: 1}}"
            )
            .read { expectation, map, _ in
                expectation.age = map.located(.age, ScenarioReading.comparison(of: .number))
            }
        case .error:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a negative number, or a name, or a list of alternatives",
                    SchemaValues.oneOrMore(
                        SchemaValues.either(
                            ["type": "integer", "exclusiveMaximum": 0],
                            SchemaValues.words(ErrorCode.names.map(\.name))
                        )
                    )
                ),
                "Foundation's code of the error, or its name",
                example: "{error: timed-out}"
            )
            .explained(ErrorCode.list)
            .read { expectation, map, _ in
                expectation.errorCodes = map.located(.error, ScenarioReading.errorCodes)
            }
        case .events:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a list of events",
                    SchemaValues.list(of: SchemaValues.words(Self.eventNames))
                ),
                "Exactly these events: `will-send`, `response`, `data`, `will-cache`, `finish`, `fail`; `data*` "
                    + "stands for one or more",
                example: "{events: [will-send, response, data*, finish]}"
            )
            .read { expectation, map, _ in
                expectation.events = map.located(.events, Reader.word(of: Self.eventNames).list())
            }
        case .chunks:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a list of sizes", SchemaValues.list(of: SchemaValues.size)),
                "The sizes of the `data` events",
                example: "{chunks: [100, 1KiB]}"
            )
            .read { expectation, map, _ in expectation.chunks = map.located(.chunks, Reader.size.list()) }
        case .cacheStatus:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of parameters to values", SchemaValues.definition("cacheStatus")),
                "The parameters of Cache-Status (RFC 9211): `hit`, `stored`, `collapsed` are `true` or `false`; "
                    + "`fwd`, `fwd-status`, `ttl`, `key`, `detail` are as values of `fields`",
                example: "{cache-status: {hit: true, ttl: {greater: 0}}}"
            )
            .read { expectation, map, reading in
                expectation.cacheStatus = map.optional(.cacheStatus, reading.cacheStatus) ?? []
            }
        case .found:
            ReferenceRow(
                rawValue,
                takes: .truth,
                "Whether a `lookup` finds an entry",
                example: "{found: true}"
            )
            .read { expectation, map, _ in expectation.isFound = map.located(.found, .bool) }
        case .userInfo:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of names to text", SchemaValues.definition("textMap")),
                "The whole user info of the entry that a `lookup` finds",
                example: "{user-info: {k: v}}"
            )
            .read { expectation, map, _ in expectation.userInfo = map.located(.userInfo, Reader.textMap) }
        case .userSawRedirects:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a number", SchemaValues.integer(0...1000)),
                "How many redirects were followed",
                example: "{user-saw-redirects: 1}"
            )
            .read { expectation, map, _ in
                expectation.redirects = map.located(.userSawRedirects, .integer(in: 0...1000))
            }
        case .took:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a duration, or a comparison of durations",
                    SchemaValues.comparison(of: SchemaValues.duration)
                ),
                "The time on the scenario's clock",
                example: "{took: {at-most: 1s}}"
            )
            .read { expectation, map, _ in expectation.took = map.located(.took, ScenarioReading.seconds) }
        case .finding:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a rule id, or a list, or a map of them to true or false",
                    SchemaValues.either(
                        SchemaValues.oneOrMore(SchemaValues.text),
                        ["type": "object", "additionalProperties": SchemaValues.truth]
                    )
                ),
                "Rules of the RFCs that must be among the decision's findings; in a map, whether they held",
                example: "{finding: {rfc9111.4.2.fresh: false}}"
            )
            .read { expectation, map, reading in
                expectation.findings = map.located(.finding, reading.findings)
            }
        }
    }
}
