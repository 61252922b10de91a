/// The files that the pages of several control APIs load: a style sheet and a script.
package enum PageFiles {
    /// The operations that send them.
    package static var operations: [ControlOperation] { [style, script] }

    private static var style: ControlOperation {
        .file(
            "/base.css",
            name: "baseStyle",
            "Returns the style sheet that pages share.",
            EmbeddedFiles.base_css,
            type: "text/css"
        )
    }

    /// The operation that sends the script.
    package static var script: ControlOperation {
        .file(
            "/base.js",
            name: "baseScript",
            "Returns the script that pages share: requests, and stored responses with their freshness.",
            EmbeddedFiles.base_js,
            type: "text/javascript"
        )
    }
}
