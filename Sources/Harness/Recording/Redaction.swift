public import FaultProxy
import HTTPServing

/// Replaces secrets in recordings by rules: credentials, cookies, values whose names indicate a secret, and values with
/// your own names.
///
/// It searches fields, queries, and contents that are JSON or forms; not paths, and no contents of other types, such as
/// HTML and plain text.
public struct Redaction: Sendable, Hashable {
    /// The replacement for a secret.
    public static let mark = "REDACTED"
    /// Whether secrets are replaced; default true.
    public var isOn: Bool
    /// Names of further header fields whose values are secret; without regard to case, default none.
    public var fieldNames: Set<String>
    /// Names of further parameters, of queries and of forms, whose values are secret; without regard to case, default none.
    public var parameterNames: Set<String>
    /// Names of further members of JSON objects whose values are secret; without regard to case, default none.
    public var memberNames: Set<String>

    /// Creates a redaction; the names are added to those that indicate a secret by themselves.
    public init(
        isOn: Bool = true,
        fieldNames: Set<String> = [],
        parameterNames: Set<String> = [],
        memberNames: Set<String> = []
    ) {
        self.isOn = isOn
        self.fieldNames = fieldNames
        self.parameterNames = parameterNames
        self.memberNames = memberNames
    }

    /// Returns an exchange with its secrets replaced.
    public func applied(to exchange: CapturedExchange) -> CapturedExchange {
        guard isOn else { return exchange }
        var exchange = exchange
        exchange.target = target(exchange.target)
        exchange.requestFields = exchange.requestFields.map(field)
        exchange.interim = exchange.interim.map(response)
        exchange.response = response(exchange.response)
        exchange.requestBody = content(exchange.requestBody, exchange.requestFields)
        return exchange
    }

    /// Whether the value of a parameter is secret, by its name.
    func isSecret(parameter name: String) -> Bool {
        Self.isSecret(name) || Self.contains(parameterNames, name)
    }

    /// Whether the value of a member is secret, by its name.
    func isSecret(member name: String) -> Bool { Self.isSecret(name) || Self.contains(memberNames, name) }

    private static func contains(_ names: Set<String>, _ name: String) -> Bool {
        !names.isEmpty && names.contains { $0.lowercased() == name.lowercased() }
    }

    /// Whether the name of a parameter, field or member indicates a secret.
    private static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return exact.contains(name) || endings.contains(where: name.hasSuffix)
    }

    /// Names without separators between their words.
    private static let exact: Set<String> = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "password", "passwd", "pwd", "secret",
        "auth",
        "key", "sig", "signature", "session", "sessionid", "sid", "jwt", "code", "otp", "pin", "credential",
        "credentials", "authenticationinfo",
    ]
    private static let endings = [
        "token", "apikey", "secret", "password", "accesskey", "privatekey", "secretkey", "signature",
        "credential",
        "sessionid",
    ]

    // MARK: Fields

    private func response(_ response: CapturedExchange.Response) -> CapturedExchange.Response {
        var response = response
        response.fields = response.fields.map(field)
        let body = content(response.body, response.fields)
        guard body != response.body else { return response }
        response.body = body
        for index in response.fields.indices where response.fields[index].isNamed(FieldName.contentLength) {
            response.fields[index].value = "\(body.count)"
        }
        return response
    }

    private func field(_ field: CapturedExchange.Field) -> CapturedExchange.Field {
        // Only of credentials is it known that their first word is not secret.
        if Self.contains(fieldNames, field.name) { return CapturedExchange.Field(field.name, Self.mark) }
        if field.isNamed(FieldName.setCookie) {
            return CapturedExchange.Field(field.name, Self.cookie(field.value))
        }
        if Self.isSecret(field.name) {
            return CapturedExchange.Field(field.name, Self.credentials(field.value))
        }
        return CapturedExchange.Field(field.name, parameters(field.value))
    }

    /// Returns credentials with the secret replaced; the authentication scheme is not secret and is kept.
    private static func credentials(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        return scheme.count < value.count && scheme.allSatisfy(\.isLetter) ? "\(scheme) \(mark)" : mark
    }

    /// Keeps the name and the attributes of a cookie.
    private static func cookie(_ value: String) -> String {
        guard let equals = value.firstIndex(of: "=") else { return mark }
        let rest = value[equals...].drop { $0 != ";" }
        return value[...equals] + mark + rest
    }

    // MARK: Targets

    private func target(_ target: String) -> String { parameters(target) }

    /// Replaces the values of secret parameters in every query in a text.
    func parameters(_ text: String) -> String {
        guard text.contains("=") else { return text }
        var result = ""
        var name = ""
        var skips = false
        for character in text {
            switch character {
            case "?", "&", ";", " ", ",", "\"", "<", ">", "#":
                (name, skips) = ("", false)
                result.append(character)
            case "=" where !name.isEmpty && !skips:
                result.append(character)
                skips = isSecret(parameter: name) && Self.isQuery(result, name)
                if skips { result += Self.mark }
            default:
                if skips { continue }
                name.append(character)
                result.append(character)
            }
        }
        return result
    }

    /// Whether the name follows `?` or `&`.
    private static func isQuery(_ text: String, _ name: String) -> Bool {
        let before = text.dropLast(name.count + 1).last
        return before == "?" || before == "&"
    }

    // MARK: Content

    private func content(_ body: [UInt8], _ fields: [CapturedExchange.Field]) -> [UInt8] {
        let content = CodedContent(body, fields)
        guard let plain = content.plain, let kind = ContentKind(fields, plain) else { return body }
        let clean = clean(plain, kind)
        return clean == plain ? body : content.coded(clean)
    }

    private func clean(_ content: [UInt8], _ kind: ContentKind) -> [UInt8] {
        switch kind {
        case .json: return JSONRedaction.applied(to: content, by: self)
        case .form:
            let text = parameters("?" + String(decoding: content, as: UTF8.self))
            return Array(text.dropFirst().utf8)
        case .multipart(let boundary):
            return MultipartRedaction.applied(to: content, boundary: boundary, by: self)
        }
    }

    /// Returns the reason why the content of an exchange cannot be searched for secrets; `nil` if it can, or need not be
    /// searched.
    public func obstacle(in exchange: CapturedExchange) -> String? {
        guard isOn else { return nil }
        let messages = [
            ("request", exchange.requestBody, exchange.requestFields),
            ("response", exchange.response.body, exchange.response.fields),
        ]
        for (name, body, fields) in messages where !body.isEmpty {
            let content = CodedContent(body, fields)
            let isSearched =
                ContentKind(fields, []) != nil || content.isReadable && ContentKind.isInContent(fields)
            guard isSearched, content.plain == nil else { continue }
            let coding = fields.combined(FieldName.contentEncoding) ?? ""
            return "the content of its \(name), coded as \(coding), cannot be searched for secrets"
        }
        return nil
    }
}

/// The kinds of content that are searched for secrets.
private enum ContentKind {
    case json
    case form
    case multipart(boundary: String)

    /// Whether only the beginning of the content shows its kind.
    static func isInContent(_ fields: [CapturedExchange.Field]) -> Bool {
        let essence = essence(fields.combined(FieldName.contentType) ?? "")
        return essence.isEmpty || essence == "text/plain"
    }

    private static func essence(_ type: String) -> String {
        type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    /// Returns the kind of content by its media type or, if that is only text, by its beginning.
    init?(_ fields: [CapturedExchange.Field], _ content: [UInt8]) {
        let type = fields.combined(FieldName.contentType) ?? ""
        switch Self.essence(type) {
        case let essence where essence.contains("json"): self = .json
        case "application/x-www-form-urlencoded": self = .form
        case "multipart/form-data":
            guard let boundary = MultipartRedaction.boundary(of: type) else { return nil }
            self = .multipart(boundary: boundary)
        case "", "text/plain":
            let first = content.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
            self = .json
        default: return nil
        }
    }
}
