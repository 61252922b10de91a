import CacheSemantics
import JSON
import ReportFormats

/// A matrix as a static site: a page with the scores and a table by area, which leads to a page for each subject.
///
/// The pages of the subjects are HTML reports of their runs; their file names come from `file(of:)`.
package struct MatrixSite: Sendable {
    private let matrix: Matrix
    private let title: String

    /// Creates the site of finished runs; `date` is shown with it, such as `2026-01-01`.
    package init(_ matrix: Matrix, date: String) {
        self.matrix = matrix
        title = "Cache conformance, \(date)"
    }

    /// Returns the file name of a subject's page: letters, digits and points of its name, and hyphens for the rest.
    package static func file(of subject: String) -> String {
        let words = subject.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".")) }
        return (words.isEmpty ? "subject" : words.joined(separator: "-")) + ".html"
    }

    /// The first page, `index.html`.
    package var index: String {
        let page = MatrixPage(matrix, title: title)
        let head = matrix.run.map { entry in
            "<th><a href=\"\(Self.file(of: entry.name))\">\(Markup.text(entry.name))</a></th>"
        }
        let sections = page.tables.prefix(1).map(MatrixHTML.table) + [areas(head)] + [MatrixHTML.absent(page)]
        return MatrixHTML.document(
            page.title,
            sections.joined(separator: "\n") + "\n" + HTMLData.element(data),
            script: HTMLDocument.script(EmbeddedFiles.data_js, EmbeddedFiles.matrix_js)
        )
    }

    private func areas(_ head: [String]) -> String {
        """
        <section><h2>Areas</h2>
        <p>How many scenarios of the chosen levels hold, of those with a verdict of their own. An area shows its scenarios; a verdict \
        leads to what happened. Passes without any reuse are not counted.</p>
        <form class="controls" id="choices">
        <label><input id="notable" type="checkbox" checked> only scenarios that some subject fails</label>
        </form>
        <p id="message"></p>
        <div class="wide"><table class="matrix"><thead><tr><th>area</th>\(head.joined())</tr></thead>
        <tbody id="areas"><tr><td>The table needs JavaScript.</td></tr></tbody></table></div></section>
        """
    }

    // MARK: Data

    /// `subjects` with their files, and `areas` with their scenarios: id, title, level, and for each subject the kind of
    /// cache and the status, or null if it was not run.
    private var data: JSONValue {
        let cells = matrix.run.map(Self.cells)
        var order: [String] = []
        var areas: [String: [JSONValue]] = [:]
        var seen: Set<String> = []
        for result in matrix.run.flatMap(\.results) where seen.insert(result.id).inserted {
            if areas[result.area] == nil { order.append(result.area) }
            areas[result.area, default: []].append(
                .array([
                    .string(result.id), .string(result.title), .string(result.level.rawValue),
                    .array(cells.map { $0[result.id] ?? .null }),
                ])
            )
        }
        let subjects = matrix.run.map { entry in
            JSONValue.object([("name", .string(entry.name)), ("file", .string(Self.file(of: entry.name)))])
        }
        let values = order.sorted().map { area in
            JSONValue.object([("name", .string(area)), ("scenarios", .array(areas[area] ?? []))])
        }
        return .object([("subjects", .array(subjects)), ("areas", .array(values))])
    }

    /// Returns the cell of each scenario; of several kinds of cache the one with the verdict that counts most.
    private static func cells(_ entry: MatrixEntry) -> [String: JSONValue] {
        var chosen: [String: ScenarioResult] = [:]
        for result in entry.results {
            let former = chosen[result.id].map { weight(status($0, entry)) } ?? -1
            if weight(status(result, entry)) > former { chosen[result.id] = result }
        }
        return chosen.mapValues { result in
            .array([.string(result.cacheKind.rawValue), .string(status(result, entry))])
        }
    }

    /// Returns the verdict as the page shows it.
    private static func status(_ result: ScenarioResult, _ entry: MatrixEntry) -> String {
        switch result.verdict {
        case .passed: entry.hasReuse ? "passed" : "nothing-stored"
        case .failed: "failed"
        default: result.verdict.name
        }
    }

    private static func weight(_ status: String) -> Int {
        [
            "skipped", "nothing-stored", "passed", "harness-error", "dependency-failed", "setup-failed",
            "failed",
        ]
        .firstIndex(of: status) ?? 0
    }
}
