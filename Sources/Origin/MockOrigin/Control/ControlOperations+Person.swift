import ControlServing

/// The page of the control API: plain files that call the API with the user's token.
extension ControlOperations {
    var personOperations: [ControlOperation] {
        [
            .file(
                "/",
                name: "page",
                "Returns the page that shows and changes all of this.",
                EmbeddedFiles.page_html,
                type: "text/html"
            ),
            .file(
                "/page.css",
                name: "pageStyle",
                "Returns the style sheet of the page.",
                EmbeddedFiles.page_css,
                type: "text/css"
            ),
            .file(
                "/page.js",
                name: "pageScript",
                "Returns the script of the page.",
                EmbeddedFiles.page_js,
                type: "text/javascript"
            ),
        ]
    }
}
