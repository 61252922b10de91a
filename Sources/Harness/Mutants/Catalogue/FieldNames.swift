import HTTPTypes

/// Field names for which the HTTP library has no constants.
enum FieldNames {
    static let clearSiteData = known("Clear-Site-Data")
    static let noVarySearch = known("No-Vary-Search")
    static let pragma = known("Pragma")
    static let hopByHop: [HTTPField.Name] = [known("Keep-Alive"), known("Proxy-Connection"), .te, .upgrade]
    static let ofProxy: [HTTPField.Name] = [
        .proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization,
    ]
    static let preferences: [HTTPField.Name] = [.acceptEncoding, .acceptLanguage, known("Accept-Charset")]

    private static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return known
    }
}
