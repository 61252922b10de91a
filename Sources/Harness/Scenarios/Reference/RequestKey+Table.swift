import CacheSemantics
import JSON
import LocatedYAML
import OriginScript

extension RequestKey {
    /// The rows of all keys in order.
    static let table: [KeyRow<RequestKey, RequestStep>] = allCases.map(\.row)

    private static let hosts = ["first", "other"]

    private var row: KeyRow<RequestKey, RequestStep> {
        switch self {
        case .path:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a path without query; a fragment may follow",
                    SchemaValues.definition("requestPath")
                ),
                default: "`/`",
                "The path",
                example: "{path: /a}"
            )
            .read { step, map, _ in map.set(&step.path, .path, .requestPath) }
        case .method:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a method", SchemaValues.definition("method")),
                default: "`GET`",
                "The method",
                example: "{path: /a, method: POST}"
            )
            .read { step, map, _ in map.set(&step.method, .method, .method) }
        case .query:
            ReferenceRow(
                rawValue,
                takes: ValueForm("text", SchemaValues.definition("query")),
                default: "none",
                "The query, without `?`",
                example: "{path: /a, query: x=1}"
            )
            .read { step, map, _ in map.set(&step.query, .query, .query) }
        case .fields:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a map or pairs as in answers; moments are possible",
                    SchemaValues.definition("fields")
                ),
                default: "none",
                "The field lines",
                example: "{path: /a, fields: {Accept: text/html}}"
            )
            .read { step, map, _ in map.set(&step.fields, .fields, FieldLine.listReader) }
        case .body:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "text, or `{size: N}`",
                    SchemaValues.either(SchemaValues.scalar, SchemaValues.definition("requestBody"))
                ),
                default: "none",
                "The content",
                example: "{path: /a, method: POST, body: a=1}"
            )
            .read { step, map, _ in map.set(&step.body, .body, ScenarioReading.requestBody) }
        case .policy:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    RequestCachePolicy.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
                    SchemaValues.definition("policy")
                ),
                default: "`client`'s `default-policy`",
                "The cache policy",
                example: "{path: /a, policy: returnCacheDataElseLoad}"
            )
            .read { step, map, _ in map.set(&step.policy, .policy, ScenarioReading.policy) }
        case .timeout:
            ReferenceRow(
                rawValue,
                takes: .duration,
                default: "the client's",
                "The time limit of the request",
                example: "{path: /a, timeout: 30s}"
            )
            .read { step, map, _ in map.set(&step.timeout, .timeout, .duration) }
        case .host:
            ReferenceRow(
                rawValue,
                takes: ValueForm("first or other", SchemaValues.words(Self.hosts)),
                default: "`first`",
                "The origin's host name; the `other` makes it a different origin by RFC 6454",
                example: "{path: /a, host: other}"
            )
            .read { step, map, _ in
                step.asksOtherHost = map.optional(.host, Reader.word(of: Self.hosts)) == "other"
            }
        case .cancelAfter:
            ReferenceRow(
                rawValue,
                takes: .duration,
                default: "never",
                "When the caller cancels",
                example: "{path: /a, cancel-after: 1s}"
            )
            .read { step, map, _ in map.set(&step.cancelAfter, .cancelAfter, .duration) }
        case .label:
            ReferenceRow(
                rawValue,
                takes: .text,
                default: "none",
                "The name for `same-as`",
                example: "{path: /a, label: posted}"
            )
            .read { step, map, _ in map.set(&step.label, .label, .text) }
        }
    }
}
