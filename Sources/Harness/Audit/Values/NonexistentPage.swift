/// A page that an audit makes up, to see how a site answers for what does not exist.
enum NonexistentPage {
    private static let prefix = "cachecheck-"

    /// Returns the URL of such a page of an origin, such as `https://example.com`; `token` is new for each audit.
    static func url(of origin: String, token: String) -> String { "\(origin)/\(prefix)\(token)" }

    /// Returns the URL of a result, or for a made-up page a text that is the same in each audit.
    static func steadyURL(of result: AuditedURL) -> String {
        result.isMadeUp ? origin(of: result.url) + "/[made-up]" : result.url
    }

    private static func origin(of url: String) -> String {
        url.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/"
        )
    }
}
