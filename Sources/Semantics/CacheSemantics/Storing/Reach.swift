package import HTTPTypes

extension HTTPResponse {
    /// Whether the answer to a GET of which nothing is stored goes to the caller as it is, and changes nothing in the
    /// store but what is stored under its own key.
    package var concernsItselfOnly: Bool {
        switch status.code {
        // Neither a part nor a redirect, and nothing in whose place something stored could be served.
        case 200..<206, 207..<300, 400..<500: headerFields.allSatisfy { !Self.reachesFurther($0.name) }
        default: false
        }
    }

    private static func reachesFurther(_ name: HTTPField.Name) -> Bool {
        // The length tells most names apart without comparing them.
        switch name.canonicalName.utf8.count {
        case 14: name == .noVarySearch
        case 15: name == .clearSiteData
        case 16: name == .contentEncoding
        default: false
        }
    }
}
