/// Comma-separated list fields (RFC 9110 §5.6.1), for other modules.
public enum ListField {
    /// Returns the members of all lines in order, trimmed, without empty ones.
    ///
    /// A comma inside a quoted string is not a separator.
    public static func members(of lines: [String]) -> [String] {
        FieldList.members(of: lines) { String(decoding: $0, as: UTF8.self) }
    }
}
