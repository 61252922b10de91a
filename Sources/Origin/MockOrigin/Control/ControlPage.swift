package import ControlServing

/// The page of control APIs: plain files that call the API with the user's token, and show what its document describes.
package enum ControlPage {
    /// The operations that serve the files.
    package static var operations: [ControlOperation] {
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
            PageFiles.script,
        ]
    }
}
