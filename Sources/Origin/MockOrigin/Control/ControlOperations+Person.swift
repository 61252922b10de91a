import ControlServing

/// The page of the control API: plain files that call the API with the user's token.
extension ControlOperations {
    var personOperations: [ControlOperation] {
        [
            file(
                "/",
                "page",
                "The page that shows and changes all of this.",
                PackageResources.page_html,
                "text/html"
            ),
            file("/page.css", "pageStyle", "How the page looks.", PackageResources.page_css, "text/css"),
            file(
                "/page.js",
                "pageScript",
                "What the page does.",
                PackageResources.page_js,
                "text/javascript"
            ),
        ]
    }

    /// Returns an operation that sends a file without authorization; it must not contain secrets.
    private func file(
        _ path: String,
        _ name: String,
        _ summary: String,
        _ bytes: [UInt8],
        _ type: String
    ) -> ControlOperation {
        let type = type + "; charset=utf-8"
        return ControlOperation("GET", path, name: name, summary) { _ in
            ControlAnswer(.bytes(bytes, type: type))
        }.with { ($0.access, $0.answerType) = (.open, type) }
    }
}
