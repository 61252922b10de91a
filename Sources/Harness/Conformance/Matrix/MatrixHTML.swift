import ReportFormats

/// A matrix as one self-contained page.
enum MatrixHTML {
    static func page(_ page: MatrixPage) -> String {
        document(page.title, (page.tables.map(table) + [absent(page)]).joined(separator: "\n"))
    }

    /// Returns a page with a heading and contents, and a script if there is one.
    static func document(_ title: String, _ contents: String, script: String = "") -> String {
        HTMLDocument.text(
            title: "CacheCheck: \(title)",
            style: """
                main { max-width: 1400px; }
                .sentences td { text-align: left; vertical-align: top; font-size: 13px; }
                .sentences td:last-child { font-family: ui-monospace, monospace; font-size: 12px; overflow-wrap: anywhere; }
                .sentences th:first-child { overflow-wrap: anywhere; max-width: 220px; vertical-align: top; font-size: 13px; }
                td { white-space: nowrap; } .sentences td { white-space: normal; }
                """,
            header:
                "<header class=\"good\"><p class=\"brand\">CacheCheck</p><h1>\(Markup.text(title))</h1></header>",
            main: contents,
            end: script
        )
    }

    static func table(_ table: MatrixPage.Table) -> String {
        let head = table.rows[0].map { "<th>\(Markup.text($0))</th>" }.joined()
        let rows = table.rows.dropFirst().map { row in
            "<tr><th>\(Markup.text(row[0]))</th>"
                + row.dropFirst().map { "<td>\(cell($0))</td>" }.joined() + "</tr>"
        }
        let isLong = table.rows[0].count == 5
        return """
            <section><h2>\(Markup.text(table.title))</h2><p>\(Markup.text(table.note))</p>
            <div class="wide"><table\(isLong ? " class=\"sentences\"" : "")><thead><tr>\(head)</tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody></table></div></section>
            """
    }

    /// Returns a cell with a text such as `12 of 15` and a bar below.
    private static func cell(_ text: String) -> String {
        let parts = text.split(separator: " ")
        guard parts.count == 3, parts[1] == "of", let part = Double(parts[0]), let whole = Double(parts[2]),
            whole > 0
        else { return Markup.text(text) }
        let percent = decimal(part / whole * 100, places: 1)
        return "\(Markup.text(text))<span class=\"share\" style=\"--part:\(percent)%\"></span>"
    }

    static func absent(_ page: MatrixPage) -> String {
        if page.absent.isEmpty { return "" }
        return "<section><h2>Not run</h2><ul>" + page.absent.map { "<li>\(Markup.text($0))</li>" }.joined()
            + "</ul></section>"
    }
}
