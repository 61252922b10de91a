/// The style sheet and the scripts of reports, which are files next to this one.
package enum HTMLStyle {
    package static var sheet: String { text(EmbeddedFiles.report_css) }

    /// Reads the data of a page, and keeps its state in the URL; the other scripts need it.
    static var dataScript: String { text(EmbeddedFiles.data_js) }

    static var reportScript: String { text(EmbeddedFiles.report_js) }

    static var matrixScript: String { text(EmbeddedFiles.matrix_js) }

    private static func text(_ file: String) -> String {
        file.hasSuffix("\n") ? String(file.dropLast()) : file
    }
}
