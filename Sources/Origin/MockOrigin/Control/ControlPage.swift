package import ControlServing

/// The page of control APIs: plain files that call the API with the user's token, and show what its document describes.
package enum ControlPage {
    /// The operations that serve the files.
    package static var operations: [ControlOperation] {
        [
            file(
                "/",
                "page",
                "Returns the page that shows and changes all of this.",
                EmbeddedFiles.page_html,
                "text/html"
            ),
            file(
                "/page.css",
                "pageStyle",
                "Returns the style sheet of the page.",
                EmbeddedFiles.page_css,
                "text/css"
            ),
            file(
                "/page.js",
                "pageScript",
                "Returns the script of the page.",
                EmbeddedFiles.page_js,
                "text/javascript"
            ),
        ]
    }

    /// Returns an operation that sends a file without authorization; it must not contain secrets.
    private static func file(
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
