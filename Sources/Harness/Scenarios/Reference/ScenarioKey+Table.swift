import JSON
import OriginScript

extension ScenarioKey {
    /// The key's row of the table.
    var row: ReferenceRow {
        switch self {
        case .id:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "lower-case words and numbers joined by `-`",
                    ["type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"]
                ),
                default: "required",
                "The name, unique in the file",
                example: "id: max-age-boundary"
            )
        case .title:
            ReferenceRow(
                rawValue,
                takes: ValueForm("text", SchemaValues.text),
                default: "required",
                "A sentence that can be false",
                example: "title: A fresh response is reused"
            )
        case .level:
            ReferenceRow(
                rawValue,
                takes: ValueForm("must, should, optimal or check", SchemaValues.definition("level")),
                default: "required",
                "How binding it is",
                example: "level: must"
            )
            .explained(
                "`must`: required; `should`: recommended, also where the RFC says that caches ought to or are "
                    + "encouraged to; `optimal`: allowed and worth having; `check`: no verdict"
            )
        case .rules:
            ReferenceRow(
                rawValue,
                takes: ValueForm("an id, or a list", SchemaValues.definition("rules")),
                default: "required",
                "The rules that it checks, which `cachecheck rules` lists or a file of `--rules` defines",
                example: "rules: [rfc9111.4.2.fresh]"
            )
        case .cache:
            ReferenceRow(
                rawValue,
                takes: ValueForm("private, shared, or a list", SchemaValues.definition("cacheKinds")),
                default: "both; with steps of §5.1 `[private]`",
                "The kinds of cache that it applies to",
                example: "cache: [shared]"
            )
        case .dependsOn:
            ReferenceRow(
                rawValue,
                takes: ValueForm("an id, or a list", SchemaValues.definition("dependsOn")),
                default: "none",
                "The scenarios that must pass first: `id` in the same file, or a full id "
                    + "(`http/4.2.1/max-age/max-age-boundary`)",
                example: "depends-on: max-age-boundary"
            )
            .explained(
                "If one fails, this one is `dependency-failed`, or `skipped` if only the other is `optimal` or `check`. "
                    + "If one has a harness error, so has this one. A circular dependency is an error"
            )
        case .passesFor:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "a map of degenerate clients to reasons",
                    SchemaValues.definition("passesFor")
                ),
                default: "none",
                "The degenerate clients that pass it nevertheless, §2.1",
                example: "passes-for: {never-stores: It is about the order of events.}"
            )
        case .because:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "`{section, keyword, sentence}`, or a list",
                    SchemaValues.definition("citations")
                ),
                default: "none",
                "Further sentences of specifications, at most 25 words each, from which its level follows",
                example: "because: {section: RFC 9111 §4, keyword: MUST, sentence: …}"
            )
            .explained("Without them its level is at most that of the strictest rule it names")
        case .client:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a map", SchemaValues.definition("client")),
                default: "as §3",
                "Settings of the built-in client, §3",
                example: "client: {heuristics: false}"
            )
        case .origin:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a list of routes", SchemaValues.definition("origin")),
                default: "one route that answers 200 with an empty body",
                "The origin's script, §4",
                example: "origin: [{answer: {status: 404}}]"
            )
        case .faults:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a fault, or a list", SchemaValues.definition("faults")),
                default: "none",
                "Faults of connections and of every request, in addition to those of answers, §4.1",
                example: "faults: reset@body:100"
            )
        case .network:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a network, §4.2", SchemaValues.definition("network")),
                default: "none",
                "The network to the origin",
                example: "network: apple:3g"
            )
        case .tls:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a case, §4.3", SchemaValues.words(TLSCase.allCases.map(\.rawValue))),
                default: "plain HTTP",
                "The origin's use of TLS",
                example: "tls: expired"
            )
        case .steps:
            ReferenceRow(
                rawValue,
                takes: ValueForm("a list of steps, §5", SchemaValues.definition("steps")),
                default: "required",
                "What is done and expected, in order",
                example: "steps: [request: {path: /a}]"
            )
        case .realTime:
            ReferenceRow(
                rawValue,
                takes: ValueForm(
                    "text, or a map of text to its replacement",
                    SchemaValues.either(
                        ["type": "string", "minLength": 1],
                        SchemaValues.definition("textMap").adding(["minProperties": 1])
                    )
                ),
                default: "from the steps",
                "The reason why it cannot run in real time, or shorter times, §7",
                example: "real-time: {61s: 3s, max-age=60: max-age=2}"
            )
        }
    }
}
