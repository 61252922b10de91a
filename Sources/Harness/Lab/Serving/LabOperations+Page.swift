import ControlServing

extension LabOperations {
    /// The page and its files.
    var pages: [ControlOperation] {
        [
            page,
            file(
                "/lab.css",
                "pageStyle",
                "Returns the style sheet of the page.",
                EmbeddedFiles.lab_css,
                "text/css"
            ),
            file(
                "/lab.js",
                "pageScript",
                "Returns the script of the page.",
                EmbeddedFiles.lab_js,
                "text/javascript"
            ),
        ]
    }

    private var page: ControlOperation {
        let type = "text/html; charset=utf-8"
        let summary = "Returns the page, with the token of this API."
        let text = EmbeddedFiles.lab_html
            .split(separator: "TOKEN", maxSplits: 1, omittingEmptySubsequences: false)
            .joined(separator: token.text)
        return ControlOperation("GET", "/", name: "page", summary) { request throws(ControlProblem) in
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

    /// Returns an operation that sends a file without authorization; it must not contain secrets.
    private func file(
        _ path: String,
        _ name: String,
        _ summary: String,
        _ text: String,
        _ type: String
    ) -> ControlOperation {
        let type = type + "; charset=utf-8"
        return ControlOperation("GET", path, name: name, summary) { _ in
            ControlAnswer(.bytes(Array(text.utf8), type: type))
        }.with { ($0.access, $0.answerType) = (.open, type) }
    }
}
