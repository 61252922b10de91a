import TextCodings

/// The page at `/` for browsers: links to the pages, and an example of each setting.
enum IndexPage {
    static var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>CacheCheck mock server</title>
        <style>
        :root { color-scheme: light dark; }
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 900px; margin: 24px auto; padding: 0 16px; }
        table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; }
        code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
        </style>
        </head>
        <body>
        <h1>CacheCheck mock server</h1>
        <h2>Pages</h2>
        <ul>
        \(DemoSite.summaries.map(page).joined(separator: "\n"))
        </ul>
        <h2>Settings in the query of a page</h2>
        <table>
        <thead><tr><th>setting</th><th>values</th><th>example</th></tr></thead>
        <tbody>
        \(PageSetting.names.map(setting).joined(separator: "\n"))
        </tbody>
        </table>
        <p>With <code>--control-port</code>, <code>cachecheck serve</code> prints the URL of a page that shows each exchange, changes
        routes, faults and the network, and moves the clock.</p>
        </body>
        </html>

        """
    }

    private static func page(_ page: (method: String, path: String, summary: String)) -> String {
        let name = "<code>\(page.method) \(page.path)</code>"
        let shown = page.method == "GET" ? "<a href=\"\(page.path)\">\(name)</a>" : name
        return "<li>\(shown) \(escaped(page.summary))</li>"
    }

    private static func setting(_ name: String) -> String {
        guard let applier = PageSetting.appliers[name] else { return "" }
        let path = name == "format" ? DemoSite.imagePath : "/get"
        let value = PercentText.encode(applier.example) {
            PercentText.isUnreserved($0) || "@:,".utf8.contains($0)
        }
        let target = "\(path)?\(name)=\(value)"
        return
            "<tr><td><code>\(name)</code></td><td>\(escaped(applier.summary)): \(escaped(applier.expected))</td>"
            + "<td><a href=\"\(escaped(target))\"><code>\(escaped(applier.example))</code></a></td></tr>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
