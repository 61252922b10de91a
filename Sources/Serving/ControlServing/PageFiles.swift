/// The files that the pages of several control APIs load: a style sheet, and bars of freshness.
package enum PageFiles {
    /// The operations that send them.
    package static var operations: [ControlOperation] {
        [
            .file(
                "/base.css",
                name: "baseStyle",
                "Returns the style sheet that pages share.",
                EmbeddedFiles.base_css,
                type: "text/css"
            ),
            .file(
                "/freshness.js",
                name: "freshnessScript",
                "Returns the script that draws stored responses with their freshness.",
                EmbeddedFiles.freshness_js,
                type: "text/javascript"
            ),
        ]
    }
}
