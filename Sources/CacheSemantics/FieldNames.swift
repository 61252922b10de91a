internal import HTTPTypes

extension HTTPField.Name {
    /// A name that is known to be valid.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return known
    }

    static let keepAlive = known("Keep-Alive")
    static let pragma = known("Pragma")
    static let proxyConnection = known("Proxy-Connection")
}
