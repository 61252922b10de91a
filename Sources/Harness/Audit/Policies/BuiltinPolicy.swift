/// Policies for usual kinds of sites.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BuiltinPolicy: String, CaseIterable, Sendable {
    /// Files whose pages are validated, and whose assets have a hash in their names.
    case staticSite = "static-site"
    /// An application of one page.
    case app = "spa"
    /// Data for programs.
    case api
    /// Pages for everybody with some for users.
    case cms
    /// A site behind a delivery network.
    case cdn

    /// All names, for help.
    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The policy file in YAML.
    public var text: String {
        "# The built-in policy \"\(rawValue)\" of cachecheck audit.\nrules:\n" + rules + Self.errors
    }

    private var rules: String {
        switch self {
        case .staticSite: Self.hashed + Self.pages + Self.files("<= 1d")
        case .app: Self.hashed + Self.pages + Self.data
        case .api: Self.data + Self.rest
        case .cms:
            Self.hashed + """
                  - name: pages
                    match: {type: text/html, status: 200}
                    expect: {private: "<= 5m", shared: "<= 1h"}

                """ + Self.files("<= 30d")
        case .cdn:
            Self.hashed + """
                  - name: pages
                    match: {type: text/html, status: 200}
                    expect: {private: "<= 1m", shared: stored, validator: any}

                """ + Self.files("<= 30d")
        }
    }

    private static let hashed = """
          - name: hashed assets
            match: "**[hash].*"
            expect: {private: ">= 30d", shared: ">= 30d"}

        """
    private static let pages = """
          - name: pages
            match: {type: text/html, status: 200}
            expect: {private: revalidates, validator: any, conditional: 304}

        """
    private static let data = """
          - name: data
            match: {type: application/json, status: 200}
            expect: {private: "<= 1m", shared: "<= 1m"}

        """
    private static let rest = """
          - name: everything else
            match: {path: "/**", status: 200}
            expect: {shared: "<= 1h"}

        """
    private static let errors = """
          - name: errors
            match: {path: "/**", status: [400, 401, 403, 404, 410, 429, 500, 502, 503, 504]}
            expect: {private: "<= 10m", shared: "<= 10m"}

        """

    private static func files(_ limit: String) -> String {
        """
          - name: other files
            match: {path: "/**", status: 200}
            expect: {private: "\(limit)", validator: any}

        """
    }
}
