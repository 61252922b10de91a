internal import HTTPTypes

/// The canonical form of a selecting header field (RFC 9111 §4.1).
enum SelectingValue {
    /// Returns the lines of a field combined, normalized as far as the definition of the field allows it.
    ///
    /// §4.1 allows a cache to normalize only differences that the field's specification declares insignificant. In a field
    /// that is not known to be a list, commas and the white space around them are part of the value: its lines are
    /// combined (RFC 9110 §5.2), and then every byte is significant.
    static func canonical(_ name: HTTPField.Name, in fields: HTTPFields) -> String {
        if let ordered = preferences(name, in: fields) {
            return name == .acceptLanguage ? ordered.orderedText : ordered.text
        }
        if isList(name) {
            return FieldList.members(of: name, in: fields, ASCII.exactText).joined(separator: ",")
        }
        return fields.filter { $0.name == name }
            .map { $0.withUnsafeBytesOfValue { ASCII.exactText(ASCII.trimmed($0[...])) } }
            // Lines of Cookie are one line with semicolons to every origin (RFC 9113 §8.2.3), and a comma is part of a value.
            .joined(separator: name == .cookie ? "; " : ", ")
    }

    /// Returns the canonical form of a list of preferences; `nil` for another field or a malformed value.
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

    /// Whether the field is defined as a comma-separated list, in which empty members and white space around commas are
    /// insignificant (RFC 9110 §5.6.1).
    private static func isList(_ name: HTTPField.Name) -> Bool { isPreference(name) || lists.contains(name) }

    /// Request fields that are lists by RFC 9110, RFC 9111, RFC 7239, RFC 7240 and WHATWG Fetch.
    private static let lists: Set<HTTPField.Name> = [
        .accept, .accessControlRequestHeaders, .cacheControl, .connection, .expect, .forwarded, .ifMatch,
        .ifNoneMatch, .pragma, .prefer, .te, .trailer, .upgrade, .via,
    ]
}
