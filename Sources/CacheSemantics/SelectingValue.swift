internal import HTTPTypes

/// The form of a selecting header field in which equal meanings are equal texts (RFC 9111 §4.1).
enum SelectingValue {
    /// Returns the lines combined; only of fields whose definition says so are case and order passed over.
    static func canonical(_ name: HTTPField.Name, _ lines: [String]) -> String {
        guard isPreference(name), let list = QualityList(lines) else { return FieldList.normalised(lines) }
        return list.text
    }

    /// Whether the field is a list of case-insensitive preferences, whose order means nothing (RFC 9110 §12.5.2–4).
    static func isPreference(_ name: HTTPField.Name) -> Bool {
        switch name {
        case .acceptLanguage, .acceptEncoding, .acceptCharset: true
        default: false
        }
    }
}
