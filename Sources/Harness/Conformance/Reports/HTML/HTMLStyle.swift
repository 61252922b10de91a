/// The style sheet and the scripts of reports, which are files beside this one.
package enum HTMLStyle {
    package static var sheet: String { text(PackageResources.report_css) }

    /// Reads the data of a page, and keeps its state in the URL; the other scripts need it.
    static var dataScript: String { text(PackageResources.data_js) }

    static var reportScript: String { text(PackageResources.report_js) }

    static var matrixScript: String { text(PackageResources.matrix_js) }

    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
