package import OriginScript

extension ReferenceRow {
    /// Creates the row of a report format; without a file, the example prints it.
    package init(report name: String, _ summary: String, file: String? = nil) {
        self.init(name, summary, example: "--report \(name)" + (file.map { "=\($0)" } ?? ""))
    }
}
