/// Takes secrets out of what is recorded, by rule: credentials and cookies, and whatever a name says is a token.
public struct Redaction: Sendable, Hashable {
    /// What stands for a secret.
    public static let mark = "REDACTED"
    /// Whether anything is taken out; default true.
    public var isOn: Bool

    /// Creates a redaction.
    public init(isOn: Bool = true) {
        self.isOn = isOn
    }

    /// Returns an exchange without its secrets.
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

    /// Whether a name of a parameter, field or member is one of a secret.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased().filter { $0.isLetter || $0.isNumber }
        return exact.contains(name) || endings.contains(where: name.hasSuffix)
    }

    /// Names, without marks between their words.
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
        for index in response.fields.indices where response.fields[index].isNamed(FieldNames.contentLength) {
            response.fields[index].value = "\(body.count)"
        }
        return response
    }

    private func field(_ field: CapturedExchange.Field) -> CapturedExchange.Field {
        if field.isNamed(FieldNames.setCookie) {
            return CapturedExchange.Field(field.name, Self.cookie(field.value))
        }
        if Self.isSecret(field.name) {
            return CapturedExchange.Field(field.name, Self.credentials(field.value))
        }
        return CapturedExchange.Field(field.name, parameters(field.value))
    }

    /// The scheme of credentials tells nothing and is kept.
    private static func credentials(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        return scheme.count < value.count && scheme.allSatisfy(\.isLetter) ? "\(scheme) \(mark)" : mark
    }

    /// Name and attributes of a cookie are kept.
    private static func cookie(_ value: String) -> String {
        guard let equals = value.firstIndex(of: "=") else { return mark }
        let rest = value[equals...].drop { $0 != ";" }
        return value[...equals] + mark + rest
    }

    // MARK: Targets

    private func target(_ target: String) -> String { parameters(target) }

    /// Takes the values of secret parameters out of every query in a text.
    private func parameters(_ text: String) -> String {
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
                skips = Self.isSecret(name) && Self.isQuery(result, name)
                if skips { result += Self.mark }
            default:
                if skips { continue }
                name.append(character)
                result.append(character)
            }
        }
        return result
    }

    /// Whether what was just named stands behind the mark of a query or of its next parameter.
    private static func isQuery(_ text: String, _ name: String) -> Bool {
        let before = text.dropLast(name.count + 1).last
        return before == "?" || before == "&"
    }

    // MARK: Content

    private func content(_ body: [UInt8], _ fields: [CapturedExchange.Field]) -> [UInt8] {
        let type = (fields.combined(FieldNames.contentType) ?? "").lowercased()
        guard fields.combined(FieldNames.contentEncoding) == nil else { return body }
        if type.contains("json") { return JSONRedaction.applied(to: body) }
        if type.hasPrefix("application/x-www-form-urlencoded") {
            let text = parameters("?" + String(decoding: body, as: UTF8.self))
            return Array(text.dropFirst().utf8)
        }
        return body
    }
}
