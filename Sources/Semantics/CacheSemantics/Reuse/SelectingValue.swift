internal import HTTPTypes

/// The form of a selecting header field in which equal meanings are equal texts (RFC 9111 §4.1).
enum SelectingValue {
    /// Returns the lines of a field combined, normalized as far as the definition of the field allows it.
    ///
    /// §4.1 allows a cache to normalize a value only in a way that its specification says is without meaning. Of a field
    /// that is not known to be a list, commas and the space around them are part of the value: its lines are combined
    /// (RFC 9110 §5.2), and then every byte counts.
    static func canonical(_ name: HTTPField.Name, in fields: HTTPFields) -> String {
        if let ordered = preferences(name, in: fields) {
            return name == .acceptLanguage ? ordered.orderedText : ordered.text
        }
        if isList(name) {
            return FieldList.members(of: name, in: fields, ASCII.exactText).joined(separator: ",")
        }
        return fields.filter { $0.name == name }
            .map { $0.withUnsafeBytesOfValue { ASCII.exactText(ASCII.trimmed($0[...])) } }
            .joined(separator: ", ")
    }

    /// Returns the same for all orders of the same preferences; `nil` for a field that is none or is malformed.
    static func unordered(_ name: HTTPField.Name, in fields: HTTPFields) -> String? {
        preferences(name, in: fields)?.text
    }

    private static func preferences(_ name: HTTPField.Name, in fields: HTTPFields) -> QualityList? {
        isPreference(name) ? QualityList(fields[values: name]) : nil
    }

    /// Whether the field is a list of case-insensitive preferences (RFC 9110 §12.5.2–4).
    static func isPreference(_ name: HTTPField.Name) -> Bool {
        switch name {
        case .acceptLanguage, .acceptEncoding, .acceptCharset: true
        default: false
        }
    }

    /// Whether the field is defined as a comma-separated list, in which empty members and the space around commas mean
    /// nothing (RFC 9110 §5.6.1).
    private static func isList(_ name: HTTPField.Name) -> Bool { isPreference(name) || lists.contains(name) }

    /// Request fields that are lists by RFC 9110, RFC 9111, RFC 7239, RFC 7240 and WHATWG Fetch.
    private static let lists: Set<HTTPField.Name> = [
        .accept, .accessControlRequestHeaders, .cacheControl, .connection, .expect, .forwarded, .ifMatch,
        .ifNoneMatch, .pragma, .prefer, .te, .trailer, .upgrade, .via,
    ]
}
