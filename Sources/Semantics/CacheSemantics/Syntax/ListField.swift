/// Fields that are comma-separated lists (RFC 9110 §5.6.1), for those who only take them apart.
public enum ListField {
    /// Returns the members of all lines in order, trimmed, without the empty ones; a comma inside a quoted string
    /// separates nothing.
    public static func members(of lines: [String]) -> [String] {
        FieldList.members(of: lines) { String(decoding: $0, as: UTF8.self) }
    }
}
