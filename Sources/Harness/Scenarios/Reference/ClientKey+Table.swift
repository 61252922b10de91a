import CacheSemantics
import JSON
import LocatedYAML
import OriginScript

extension ClientKey {
    /// The rows of all keys in order.
    static let table: [KeyRow<ClientKey, ClientSettings>] = allCases.map(\.row)

    private static let capacity = "a size such as 4MiB, 100KiB or 0"
    private static let fieldNames = "a list of field names"
    private static let fieldNamesSchema = SchemaValues.list(of: SchemaValues.text)

    private var row: KeyRow<ClientKey, ClientSettings> {
        switch self {
        case .memoryCapacity:
            ReferenceRow(
                rawValue,
                takes: ValueForm(Self.capacity, SchemaValues.size),
                default: "`4MiB`",
                "The capacity of the memory tier; 0 disables it",
                example: "{memory-capacity: 100KiB}"
            )
            .read { settings, map, _ in map.set(&settings.memoryCapacity, .memoryCapacity, .size) }
        case .diskCapacity:
            ReferenceRow(
                rawValue,
                takes: ValueForm(Self.capacity, SchemaValues.size),
                default: "`20MiB`",
                "The capacity of the disk tier; 0 disables it",
                example: "{disk-capacity: 0}"
            )
            .read { settings, map, _ in map.set(&settings.diskCapacity, .diskCapacity, .size) }
        case .largestShare:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a share from 0 to 1", ["type": "number", "minimum": 0, "maximum": 1]),
                default: "`0.05`",
                "The share of the disk capacity (of the memory capacity if disk is disabled) that one response may "
                    + "take",
                example: "{largest-share: 0.5}"
            )
            .read { settings, map, _ in
                let share = Reader.number.when({ $0 >= 0 && $0 <= 1 }, expected: "a share from 0 to 1")
                map.set(&settings.largestShare, .largestShare, share)
            }
        case .heuristics:
            ReferenceRow(
                rawValue,
                takes: .truth,
                default: "`true`",
                "Whether responses without explicit freshness get 10 % of their age since Last-Modified",
                example: "{heuristics: false}"
            )
            .read { settings, map, _ in map.set(&settings.usesHeuristics, .heuristics, .bool) }
        case .hook:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "pass, refuse, memory-only, not-allowed, or a map",
                    SchemaValues.either(
                        SchemaValues.words(["pass", "refuse", "memory-only", "not-allowed"]),
                        SchemaValues.definition("hook")
                    )
                ),
                default: "none",
                "The will-cache hook; a map is one of `{append: TEXT}`, `{user-info: {k: v}}` and "
                    + "`{fields: {Name: value}}`",
                example: "{hook: {user-info: {k: v}}}"
            )
            .read { settings, map, _ in map.set(&settings.hook, .hook, HookSetting.reader) }
        case .partialContent:
            ReferenceRow(
                rawValue,
                takes: .truth,
                default: "`true`",
                "Whether incomplete responses are stored (RFC 9111 §3.3)",
                example: "{partial-content: false}"
            )
            .read { settings, map, _ in map.set(&settings.keepsPartialContent, .partialContent, .bool) }
        case .expirationInterval:
            ReferenceRow(
                rawValue,
                takes: .duration,
                default: "none",
                "The cache's own expiry, like that of a custom cache with its own lifetime",
                example: "{expiration-interval: 600s}"
            )
            .read { settings, map, _ in map.set(&settings.expirationInterval, .expirationInterval, .duration)
            }
        case .connectionsPerHost:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a number from 1 to 1000", SchemaValues.integer(1...1000)),
                default: "`6`",
                "The maximum number of connections to one host",
                example: "{connections-per-host: 1}"
            )
            .read { settings, map, _ in
                map.set(&settings.connectionsPerHost, .connectionsPerHost, .integer(in: 1...1000))
            }
        case .followRedirects:
            ReferenceRow(
                rawValue,
                takes: .truth,
                default: "`true`",
                "Whether redirects are followed",
                example: "{follow-redirects: false}"
            )
            .read { settings, map, _ in map.set(&settings.followsRedirects, .followRedirects, .bool) }
        case .defaultPolicy:
            ReferenceRow(
                rawValue,
                takes: ValueForm("one of the six policies", SchemaValues.definition("policy")),
                default: "`useProtocolCachePolicy`",
                "The policy of requests that do not set one",
                example: "{default-policy: reloadIgnoringLocalCacheData}"
            )
            .read { settings, map, _ in
                map.set(&settings.defaultPolicy, .defaultPolicy, ScenarioReading.policy)
            }
        case .targets:
            ReferenceRow(
                rawValue,
                takes: ValueForm(Self.fieldNames, Self.fieldNamesSchema),
                default: "none",
                "The targeted fields that the cache obeys (RFC 9213), in order of precedence",
                example: "{targets: [CDN-Cache-Control]}"
            )
            .read { settings, map, _ in map.set(&settings.targets, .targets, Reader.fieldName.list()) }
        case .deviations:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a list of names",
                    SchemaValues.list(of: SchemaValues.words(Deviations.names))
                ),
                default: "none",
                "The departures from the RFCs that are switched on",
                example: "{deviations: [apple]}"
            )
            .explained(
                "`content-language` chooses a stored Content-Language by the quality that Accept-Language "
                    + "gives it, against RFC 9111 §4.1; `language-order` ignores the order of the members of "
                    + "Accept-Language; `no-vary-search-params` obeys a No-Vary-Search whose `params` is a Boolean, "
                    + "or whose `key-order` is alone, as in the drafts before December 2025; `apple` does what Apple's URL loading does instead of "
                    + "RFC 9111, §3.1"
            )
            .read { settings, map, _ in
                let deviation = Reader.word(of: Deviations.names).map { Deviations(name: $0) ?? [] }
                map.set(&settings.deviations, .deviations, deviation.list().map { Deviations($0) })
            }
        case .partition:
            ReferenceRow(
                rawValue,
                takes: .truth,
                default: "`false`",
                "Whether a private cache keeps the stored responses of different credentials (Authorization, "
                    + "Cookie) apart",
                example: "{partition: true}"
            )
            .read { settings, map, _ in map.set(&settings.partitions, .partition, .bool) }
        case .trust:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map", SchemaValues.definition("trust")),
                default: "the origin's authority",
                "The client's trust settings for TLS, §4.3",
                example: "{trust: {verify: false}}"
            )
            .read { settings, map, _ in map.set(&settings.trust, .trust, TrustSettings.reader) }
        case .normalizePercentEncoding:
            ReferenceRow(
                rawValue,
                takes: .truth,
                default: "`false`",
                "Whether the percent-encoding of targets is normalized (RFC 3986 §6.2.2), in requests and in keys",
                example: "{normalize-percent-encoding: true}"
            )
            .read { settings, map, _ in
                map.set(&settings.normalizesPercentEncoding, .normalizePercentEncoding, .bool)
            }
        case .passFields:
            ReferenceRow(
                rawValue,
                takes: ValueForm(Self.fieldNames, Self.fieldNamesSchema),
                default: "none",
                "The fields of proxies that the gateway of `gateway` steps forwards, and includes in its keys",
                example: "{pass-fields: [X-Forwarded-Host]}"
            )
            .read { settings, map, _ in map.set(&settings.passedFields, .passFields, Reader.fieldName.list())
            }
        }
    }
}
