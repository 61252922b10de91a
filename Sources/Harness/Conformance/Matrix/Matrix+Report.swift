import CacheSemantics
import JSON

extension Matrix {
    /// Returns the matrix in a format; `date` is shown with it, such as `2026-01-01`.
    public func report(_ format: PageFormat, date: String) -> String {
        let page = MatrixPage(self, title: "Cache conformance, \(date)")
        return switch format {
        case .text: Self.plain(page)
        case .markdown: Self.markdown(page)
        case .json: Self.json(self, date: date)
        case .html: MatrixHTML.page(page)
        }
    }

    private static func plain(_ page: MatrixPage) -> String {
        var lines = [page.title]
        for table in page.tables {
            lines += ["", "\(table.title): \(table.note)", ""]
            lines += table.rows[0].count == 5 ? stories(table) : TextTable.lines(table.rows)
        }
        return (lines + absent(page, mark: "")).map { $0 + "\n" }.joined()
    }

    /// Returns the rows of a table whose cells are sentences, one below another.
    private static func stories(_ table: MatrixPage.Table) -> [String] {
        table.rows.dropFirst().flatMap { row in
            [row[0]] + zip(table.rows[0], row).dropFirst().map { "  \($0): \($1)" }
        }
    }

    private static func markdown(_ page: MatrixPage) -> String {
        var lines = ["# \(page.title)", "", "Made by `cachecheck matrix`; do not edit."]
        for table in page.tables {
            lines += ["", "## \(table.title)", "", table.note, ""]
            lines += [row(table.rows[0]), row(table.rows[0].map { _ in "---" })]
            lines += table.rows.dropFirst().map(row)
        }
        return (lines + absent(page, mark: "## ")).map { $0 + "\n" }.joined()
    }

    private static func row(_ cells: [String]) -> String {
        let safe = cells.map { cell in
            Transcript.printable(cell).replacing("|", with: "\\|").replacing("<", with: "&lt;")
        }
        return "| " + safe.joined(separator: " | ") + " |"
    }

    private static func absent(_ page: MatrixPage, mark: String) -> [String] {
        page.absent.isEmpty
            ? [] : ["", "\(mark)Not run", ""] + page.absent.map { mark.isEmpty ? $0 : "- \($0)" }
    }

    private static func json(_ matrix: Matrix, date: String) -> String {
        let subjects = matrix.entries.map { entry in
            JSONValue.object([
                ("name", .string(entry.name)), ("obstacle", JSONValue(entry.obstacle)),
                ("seconds", .seconds(entry.seconds)),
                (
                    "scores",
                    .object(RuleLevel.allCases.map { ($0.rawValue, value(matrix.score(of: entry, $0))) })
                ),
            ])
        }
        let differences = matrix.differences.map { pair in
            JSONValue.object([
                ("first", .string(pair.first)), ("second", .string(pair.second)),
                ("only-first", JSONValue(pair.firstOnly)), ("only-second", JSONValue(pair.secondOnly)),
            ])
        }
        return JSONValue.object([
            ("format", 1), ("date", .string(date)), ("subjects", .array(subjects)),
            ("differences", .array(differences)), ("deviations", .array(matrix.deviations.map(value))),
            ("disagreements", .array(matrix.disagreements.map(value))),
        ]).written() + "\n"
    }

    private static func value(_ score: MatrixScore) -> JSONValue {
        .object([
            ("passed", .integer(score.passed)), ("judged", .integer(score.judged)),
            ("masked", .integer(score.masked)),
            ("skipped", .integer(score.skipped)), ("harness-errors", .integer(score.broken)),
        ])
    }

    private static func value(_ deviation: Matrix.Deviation) -> JSONValue {
        .object([
            ("scenario", .string(deviation.scenario)), ("level", .string(deviation.level.rawValue)),
            ("rule", .string(deviation.rule)), ("source", .string(deviation.source)),
            ("sentence", .string(deviation.title)),
            (
                "not-held",
                .array(
                    deviation.breakers.map { seen, names in
                        .object([("seen", .string(seen)), ("by", JSONValue(names))])
                    }
                )
            ),
        ])
    }

    private static func value(_ disagreement: Matrix.Disagreement) -> JSONValue {
        .object([
            ("rule", .string(disagreement.rule)), ("source", .string(disagreement.source)),
            ("sentence", .string(disagreement.sentence)), ("held-by", JSONValue(disagreement.holders)),
            (
                "not-held",
                .object(disagreement.breakers.map { ($0.scenario, JSONValue($0.names)) })
            ),
        ])
    }
}
