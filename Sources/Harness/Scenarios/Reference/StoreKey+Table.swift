import JSON
import LocatedYAML
import OriginScript

extension StoreKey {
    /// The rows of all keys in order.
    static let table: [KeyRow<StoreKey, StoreStep>] = allCases.map(\.row)

    private static let policies = ["allowed", "memory-only", "not-allowed"]

    private var row: KeyRow<StoreKey, StoreStep> {
        switch self {
        case .path:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a path without query", SchemaValues.definition("requestPath")),
                default: "`/`",
                "The path of the request",
                example: "{path: /a}"
            )
            .read { step, map, _ in map.set(&step.path, .path, .requestPath) }
        case .status:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a status from 200 to 999", SchemaValues.integer(200...999)),
                default: "200",
                "The status code",
                example: "{path: /a, status: 404}"
            )
            .read { step, map, _ in map.set(&step.status, .status, .integer(in: 200...999)) }
        case .fields:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map or pairs as in answers", SchemaValues.definition("fields")),
                default: "none",
                "The field lines",
                example: "{path: /a, fields: {Cache-Control: max-age=60}}"
            )
            .read { step, map, _ in map.set(&step.fields, .fields, FieldLine.listReader) }
        case .body:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "text, or a map as in answers",
                    SchemaValues.either(SchemaValues.scalar, SchemaValues.definition("body"))
                ),
                default: "empty",
                "The content",
                example: "{path: /a, body: by hand}"
            )
            .read { step, map, _ in map.set(&step.body, .body, BodySource.reader) }
        case .userInfo:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map of names to text", SchemaValues.definition("textMap")),
                default: "none",
                "The user info",
                example: "{path: /a, user-info: {k: v}}"
            )
            .read { step, map, _ in map.set(&step.userInfo, .userInfo, Reader.textMap) }
        case .storagePolicy:
            ReferenceRow(
                rawValue,
                takes: ValueForm("allowed, memory-only or not-allowed", SchemaValues.words(Self.policies)),
                default: "`allowed`",
                "The storage policy",
                example: "{path: /a, storage-policy: memory-only}"
            )
            .read { step, map, _ in
                map.set(&step.storagePolicy, .storagePolicy, Reader.word(of: Self.policies))
            }
        }
    }
}
