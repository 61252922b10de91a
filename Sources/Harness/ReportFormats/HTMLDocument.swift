/// A self-contained page, as all reports in HTML are.
package enum HTMLDocument {
    /// The style sheet of all pages, which is the file next to this one.
    package static var styleSheet: String { trimmed(EmbeddedFiles.report_css) }

    /// Returns a page: `style` is added to the style sheet, `end` comes after the main part, both empty by default.
    package static func text(
        title: String,
        style: String = "",
        header: String,
        main: String,
        end: String = ""
    ) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Markup.text(title))</title>
        <style>
        \(styleSheet)\(line(style))
        </style>
        </head>
        <body>
        \(header)
        <main>
        \(main)
        </main>\(line(end))
        </body>
        </html>

        """
    }

    /// Returns a script as an element.
    package static func script(_ parts: String...) -> String {
        "<script>\n\(parts.map(trimmed).joined(separator: "\n"))\n</script>"
    }

    private static func line(_ text: String) -> String { text.isEmpty ? "" : "\n" + text }

    /// Returns a file's text without the end of its last line.
    private static func trimmed(_ file: String) -> String {
        file.hasSuffix("\n") ? String(file.dropLast()) : file
    }
}
