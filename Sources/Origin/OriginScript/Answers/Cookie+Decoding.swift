import LocatedYAML

/// The keys of a cookie.
package enum CookieKey: String, MapKey {
    case value, path, domain
    case maxAge = "max-age"
    case sameSite = "same-site"
    case secure
    case httpOnly = "http-only"
    package static let mapName = "a cookie"
}

/// Cookies as an answer sets them (RFC 6265 §4.1).
enum Cookies {
    /// A map of names to values, or to maps with `value` and attributes; one `Set-Cookie` line each.
    static var reader: Reader<[FieldLine]> {
        Reader { node, problems in
            guard let pairs = node.pairs else {
                let expected = "a map of cookie names to values or maps"
                problems.add(node, expected: expected)
                return nil
            }
            return pairs.compactMap { line($0, problems) }
        }
    }

    private static func line(_ pair: YAMLPair, _ problems: ProblemCollector) -> FieldLine? {
        let key = YAMLNode(.scalar(YAMLScalar(pair.key, isPlain: false)), at: pair.keyPosition)
        guard let name = Reader.fieldName.read(key, problems) else { return nil }
        guard pair.value.pairs != nil else {
            return Reader.cookieText.read(pair.value, problems).map {
                FieldLine(ShorthandField.setCookie, .text("\(name)=\($0)"))
            }
        }
        guard let map = MapReader<CookieKey>(pair.value, problems) else { return nil }
        let value = map.required(.value, .cookieText) ?? ""
        let text = (["\(name)=\(value)"] + attributes(map)).joined(separator: "; ")
        return FieldLine(ShorthandField.setCookie, .text(text))
    }

    private static func attributes(_ map: MapReader<CookieKey>) -> [String] {
        var attributes: [String] = []
        if let path = map.optional(.path, .cookieText) { attributes.append("Path=\(path)") }
        if let domain = map.optional(.domain, .cookieText) { attributes.append("Domain=\(domain)") }
        if let seconds = map.optional(.maxAge, .offsetSeconds) { attributes.append("Max-Age=\(seconds)") }
        if let site = map.optional(.sameSite, .word(of: ["Strict", "Lax", "None"])) {
            attributes.append("SameSite=\(site)")
        }
        if map.optional(.secure, .bool) == true { attributes.append("Secure") }
        if map.optional(.httpOnly, .bool) == true { attributes.append("HttpOnly") }
        return attributes
    }
}

extension Reader where Value == String {
    /// A value between semicolons.
    fileprivate static var cookieText: Reader {
        Reader.answerText.when({ !$0.contains(";") }, expected: "text without a semicolon")
    }
}
