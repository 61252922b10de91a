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

extension ControlOperation {
    /// Returns an operation that sends a file without authorization; it must not contain secrets.
    package static func file(
        _ path: String,
        name: String,
        _ summary: String,
        _ text: String,
        type: String
    ) -> ControlOperation {
        let type = type + "; charset=utf-8"
        return ControlOperation("GET", path, name: name, summary) { _ in
            ControlAnswer(.bytes(Array(text.utf8), type: type))
        }.with { ($0.access, $0.answerType) = (.open, type) }
    }
}
