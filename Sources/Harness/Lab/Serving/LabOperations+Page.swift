import ControlServing

extension LabOperations {
    /// The page and its files.
    var pages: [ControlOperation] {
        [
            page,
            .file(
                "/lab.css",
                name: "pageStyle",
                "Returns the style sheet of the page.",
                EmbeddedFiles.lab_css,
                type: "text/css"
            ),
            .file(
                "/lab.js",
                name: "pageScript",
                "Returns the script of the page.",
                EmbeddedFiles.lab_js,
                type: "text/javascript"
            ),
        ] + PageFiles.operations
    }

    private var page: ControlOperation {
        let type = "text/html; charset=utf-8"
        let summary = "Returns the page, with the token of this API."
        let text = EmbeddedFiles.lab_html
            .split(separator: "TOKEN", maxSplits: 1, omittingEmptySubsequences: false)
            .joined(separator: token.text)
        return ControlOperation(.get("/"), name: "page", summary) { request throws(ControlProblem) in
            guard Self.isOwn(host: request.host) else {
                throw ControlProblem(
                    status: 421,
                    "The page is only for http://127.0.0.1:PORT and http://localhost:PORT."
                )
            }
            return ControlAnswer(.bytes(Array(text.utf8), type: type))
        }.with { ($0.access, $0.answerType) = (.open, type) }
    }

    /// Whether a request names this machine's loopback interface as its host; the port does not matter, because a
    /// browser distinguishes origins by it.
    static func isOwn(host: String?) -> Bool {
        guard let host else { return false }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
    }
}
