import HTTPServing
import OriginScript

/// Request fields joined as by Node's HTTP server, the form of the suite's state.
enum NodeFields {
    /// Returns every field by its name in lower case, in the order of the first line of each.
    static func all(_ fields: [ServedField]) -> [(name: String, value: String)] {
        var names: [String] = []
        for field in fields where !names.contains(field.name.lowercased()) {
            names.append(field.name.lowercased())
        }
        return names.map { ($0, value(of: $0, in: fields) ?? "") }
    }

    /// Returns one field's value; `nil` if it is absent.
    static func value(of name: String, in fields: [ServedField]) -> String? {
        let values = fields.filter { $0.name.isSameFieldName(as: name) }.map(\.latin1Value)
        guard let first = values.first else { return nil }
        let name = name.lowercased()
        if single.contains(name) { return first }
        return values.joined(separator: name == cookie ? "; " : ", ")
    }

    private static let cookie = SuiteFieldName.cookie.lowercased()

    /// Fields whose second line is dropped.
    private static let single: Set = [
        "age", "authorization", "content-length", "content-type", "etag", "expires", "from", "host",
        "if-modified-since", "if-unmodified-since", "last-modified", "location", "max-forwards",
        "proxy-authorization", "referer", "retry-after", "server", "user-agent",
    ]
}
