package import JSON

/// The JSON Schema of policy files, for editors.
package enum PolicySchema {
    /// The schema as a JSON document.
    package static let document: JSONValue = .object([
        ("$schema", "https://json-schema.org/draft/2020-12/schema"),
        ("title", "A policy of cachecheck audit"),
        ("type", "object"),
        ("additionalProperties", false),
        ("properties", .object(properties(PolicyKey.self) { root($0) })),
        (
            "$defs",
            .object([
                ("rule", map(PolicyRuleKey.self, required: ["match", "expect"]) { rule($0) }),
                ("match", map(PolicyMatchKey.self) { match($0) }),
                ("expect", map(PolicyExpectKey.self, atLeast: 1) { expect($0) }),
                ("exception", map(PolicyIgnoreKey.self, required: ["url", "why"]) { ignore($0) }),
                ("lifetime", lifetime),
            ])
        ),
    ])

    private static func map<Key: RawRepresentable<String> & CaseIterable>(
        _ keys: Key.Type,
        required: [String] = [],
        atLeast least: Int = 0,
        _ value: (Key) -> JSONValue
    ) -> JSONValue {
        .object([
            ("type", "object"), ("additionalProperties", false), ("required", JSONValue(required)),
            ("minProperties", .integer(least)), ("properties", .object(properties(keys, value))),
        ])
    }

    private static func properties<Key: RawRepresentable<String> & CaseIterable>(
        _ keys: Key.Type,
        _ value: (Key) -> JSONValue
    ) -> [(String, JSONValue)] {
        Key.allCases.map { ($0.rawValue, value($0)) }
    }

    private static func root(_ key: PolicyKey) -> JSONValue {
        switch key {
        case .site:
            text("The origin of the site, such as https://example.com; rules without a host are for it.")
        case .urls:
            list(text("A path of the site, or a URL."), "What is audited if the command line has no URL.")
        case .rules: list(reference("rule"), "The first rule that matches a URL applies.")
        case .ignore: list(reference("exception"), "Findings that do not count for a time.")
        }
    }

    private static func rule(_ key: PolicyRuleKey) -> JSONValue {
        switch key {
        case .name: text("The name in reports.")
        case .match:
            .object([
                ("description", "A pattern of the path (* without /, **, [hash]), or several conditions."),
                ("anyOf", .array([.object([("type", "string")]), reference("match")])),
            ])
        case .expect: reference("expect")
        case .level: choice(AuditRule.Severity.allCases.map(\.rawValue), "The severity; default error.")
        case .with: list(.object([("type", "object")]), "Fields of invented callers, for not-shared-between.")
        }
    }

    private static func match(_ key: PolicyMatchKey) -> JSONValue {
        func oneOrMore(_ type: String, _ description: String) -> JSONValue {
            .object([("description", .string(description)), ("type", .array([.string(type), "array"]))])
        }
        return switch key {
        case .path: text("A pattern of the path.")
        case .host: text("A pattern of the host.")
        case .type: text("A pattern of the media type, such as image/*.")
        case .method: oneOrMore("string", "A method of requests in archives, or several; without it GET.")
        case .status:
            oneOrMore(
                "integer",
                "A status code, or several; without it, the nonexistent pages that the audit requests do not match."
            )
        }
    }

    private static func expect(_ key: PolicyExpectKey) -> JSONValue {
        switch key {
        case .browser, .shared: reference("lifetime")
        case .immutable:
            .object([("type", "boolean"), ("description", "Whether a reload needs no request.")])
        case .validator: choice(ValidatorStrength.allCases.map(\.rawValue), "The validator.")
        case .conditional:
            .object([
                ("type", "integer"), ("description", "The status of a conditional request, usually 304."),
            ])
        case .variesOn: list(text("A field name."), "The fields in Vary, in any order.")
        case .notSharedBetween: choice(["callers"], "No shared cache mixes the callers in \"with\".")
        }
    }

    private static func ignore(_ key: PolicyIgnoreKey) -> JSONValue {
        switch key {
        case .url: text("A pattern of whole URLs.")
        case .rule: choice(AuditRule.all.map(\.id), "The rule; without it all.")
        case .until: text("The last day, such as 2027-01-31; afterwards the exception is an error.")
        case .why:
            .object([("type", "string"), ("pattern", "\\S"), ("description", "The reason.")])
        }
    }

    private static let lifetime: JSONValue = .object([
        ("type", "string"),
        ("pattern", "^(not-stored|stored|revalidates|[<>]= ?[0-9.]+(s|m|h|d|w|y))$"),
        (
            "description",
            "What a cache does: not-stored, stored, revalidates, or how long it uses the response."
        ),
    ])

    private static func text(_ description: String) -> JSONValue {
        .object([("type", "string"), ("description", .string(description))])
    }

    private static func choice(_ words: [String], _ description: String) -> JSONValue {
        .object([("enum", JSONValue(words)), ("description", .string(description))])
    }

    private static func list(_ items: JSONValue, _ description: String) -> JSONValue {
        .object([("type", "array"), ("description", .string(description)), ("items", items)])
    }

    private static func reference(_ name: String) -> JSONValue {
        .object([("$ref", .string("#/$defs/\(name)"))])
    }
}
