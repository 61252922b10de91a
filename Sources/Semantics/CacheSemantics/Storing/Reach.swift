package import HTTPTypes

extension HTTPResponse {
    /// Whether the response to a GET of which nothing is stored reaches the caller unchanged, and changes nothing in the
    /// store except under its own key.
    package var concernsItselfOnly: Bool {
        switch status.code {
        // Neither partial content nor a redirect nor an error that a stored response could replace.
        case 200..<206, 207..<300, 400..<500: headerFields.allSatisfy { !Self.reachesFurther($0) }
        default: false
        }
    }

    private static func reachesFurther(_ field: HTTPField) -> Bool {
        let name = field.name
        // Switching on the length avoids most comparisons of names.
        return switch name.canonicalName.utf8.count {
        case 10: name == .connection && !ConnectionOptions.isPersistence(field.value)
        case 14: name == .noVarySearch
        case 15: name == .clearSiteData
        case 16: name == .contentEncoding
        default: false
        }
    }
}
