internal import HTTPTypes

/// The form of a selecting header field in which equal meanings are equal texts (RFC 9111 §4.1).
enum SelectingValue {
    /// Returns the lines of a field combined, with no whitespace around the commas (RFC 9110 §5.3); only of fields whose
    /// definition says so are case and order passed over.
    static func canonical(_ name: HTTPField.Name, in fields: HTTPFields) -> String {
        if isPreference(name), let list = QualityList(fields[values: name]) { return list.text }
        return FieldList.members(of: name, in: fields, ASCII.exactText).joined(separator: ",")
    }

    /// Whether the field is a list of case-insensitive preferences, whose order means nothing (RFC 9110 §12.5.2–4).
    static func isPreference(_ name: HTTPField.Name) -> Bool {
        switch name {
        case .acceptLanguage, .acceptEncoding, .acceptCharset: true
        default: false
        }
    }
}
