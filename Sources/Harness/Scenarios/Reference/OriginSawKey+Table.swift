import JSON
import LocatedYAML
import OriginScript

extension OriginSawKey {
    /// The rows of all keys in order.
    static let table: [KeyRow<OriginSawKey, OriginExpectation>] = allCases.map(\.row)

    /// Those that require something; a step has at least one of them.
    static let conditions: [OriginSawKey] = [.requests, .last, .request, .connections, .aborted]

    private static var count: Reader<NumberExpectation> {
        ScenarioReading.comparison(of: Reader.integer(in: 0...1_000_000).map(Double.init))
    }

    private static let countValue = "a number, or a comparison"
    private static let countSchema = SchemaValues.comparison(of: ["type": "integer", "minimum": 0])

    private var row: KeyRow<OriginSawKey, OriginExpectation> {
        switch self {
        case .path:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a path", SchemaValues.definition("path")),
                default: "all",
                "Counts the requests for this path only",
                example: "{path: /a, requests: 1}"
            )
            .read { expectation, map, _ in expectation.path = map.optional(.path, .path) }
        case .method:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a method", SchemaValues.definition("method")),
                default: "all",
                "Counts the requests with this method only",
                example: "{method: POST, requests: 1}"
            )
            .read { expectation, map, _ in expectation.method = map.optional(.method, .method) }
        case .since:
            ReferenceRow(
                rawValue,
                takes: ValueForm("last or start", SchemaValues.words(["last", "start"])),
                default: "`start`",
                "Counts from the previous `origin-saw`, or from the beginning",
                example: "{since: last, requests: 0}"
            )
            .read { expectation, map, _ in
                expectation.sinceLast = map.optional(.since, Reader.word(of: ["last", "start"])) == "last"
            }
        case .requests:
            ReferenceRow(
                rawValue,
                takes: ValueForm(Self.countValue, Self.countSchema),
                "How many requests",
                example: "{requests: {at-least: 1}}"
            )
            .read { expectation, map, _ in expectation.requests = map.located(.requests, Self.count) }
        case .last:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of conditions", SchemaValues.definition("recordedRequest")),
                "The last request counted",
                example: "{last: {method: GET, fields: {If-None-Match: '\"v1\"'}, connection: reused}}"
            )
            .explained(
                "The keys: `method`, `path`, `query`; `fields` and `body` as in `expect`; `connection`: "
                    + "`new` or `reused`; `client-certificate`: the subject of the client's, or `none`; for a form "
                    + "`parts`, a list of `{name, file-name, content-type, body}` in order"
            )
            .read { expectation, map, reading in
                map.located(.last, reading.recordedRequest(isLast: true)).map {
                    expectation.requestExpectations.append($0)
                }
            }
        case .request:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a map of conditions, or a list",
                    SchemaValues.oneOrMore(SchemaValues.definition("recordedRequest"))
                ),
                "The same with `number: N`, from 1, among those counted",
                example: "{request: [{number: 1, query: x=1}, {number: 2, body: {size: 0}}]}"
            )
            .read { expectation, map, reading in
                let numbered = reading.recordedRequest(isLast: false).located().oneOrMore()
                expectation.requestExpectations += map.optional(.request, numbered) ?? []
            }
        case .connections:
            ReferenceRow(
                rawValue,
                takes: ValueForm(Self.countValue, Self.countSchema),
                "How many connections the counted requests opened",
                example: "{connections: 1}"
            )
            .read { expectation, map, _ in expectation.connections = map.located(.connections, Self.count) }
        case .aborted:
            ReferenceRow(
                rawValue,
                takes: ValueForm(Self.countValue, Self.countSchema),
                "How many exchanges the caller's side aborted",
                example: "{aborted: 0}"
            )
            .read { expectation, map, _ in expectation.aborted = map.located(.aborted, Self.count) }
        }
    }
}
