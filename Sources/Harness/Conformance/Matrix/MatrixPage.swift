import CacheSemantics

/// The contents of a matrix, independent of the format.
struct MatrixPage: Sendable {
    /// A table with its heading; the first row is the table's head.
    struct Table: Sendable {
        let title: String
        let note: String
        let rows: [[String]]
    }
    let title: String
    let tables: [Table]
    /// Subjects that could not be run, with the reason.
    let absent: [String]
    private static let levels: [(level: RuleLevel, name: String)] = [
        (.must, "must"), (.should, "should"), (.optimal, "optimal"), (.check, "check"),
    ]
    private static let longestList = 60

    init(_ matrix: Matrix, title: String) {
        self.title = title
        absent = matrix.entries.compactMap { entry in entry.obstacle.map { "\(entry.name): \($0)" } }
        tables = [
            Self.scores(matrix), Self.differences(matrix), Self.deviations(matrix),
            Self.disagreements(matrix),
        ].filter { $0.rows.count > 1 }
    }

    private static func scores(_ matrix: Matrix) -> Table {
        let head =
            ["subject"] + levels.flatMap { [$0.name, "with masked"] } + [
                "passed without any reuse", "skipped", "harness errors", "time",
            ]
        return Table(
            title: "Scores",
            note:
                "Scenarios that pass, of those that were judged themselves. \"With masked\" also counts, as not passed, those whose "
                + "dependency or setup failed. Passes without any reuse are listed separately.",
            rows: [head] + matrix.run.map { row(of: $0, in: matrix) }
        )
    }

    private static func row(of entry: MatrixEntry, in matrix: Matrix) -> [String] {
        let scores = levels.map { matrix.score(of: entry, $0.level) }
        let counts = [scores.map(\.unstored), scores.map(\.skipped), scores.map(\.broken)]
        return [entry.name] + scores.flatMap { [$0.text, $0.maskedText] }
            + counts.map { "\($0.reduce(0, +))" } + [decimal(entry.seconds, places: 1) + " s"]
    }

    private static func differences(_ matrix: Matrix) -> Table {
        let rows = matrix.differences.map { pair in
            [pair.first, pair.second, "\(pair.firstOnly.count)", "\(pair.secondOnly.count)"]
        }
        return Table(
            title: "Differences",
            note: "Scenarios that were judged for both subjects and pass for only one.",
            rows: [["first", "second", "passed by the first only", "passed by the second only"]] + rows
        )
    }

    private static func deviations(_ matrix: Matrix) -> Table {
        let rows = matrix.deviations.flatMap { deviation in
            deviation.breakers.map { seen, names in
                let level = "\(deviation.level.rawValue), \(deviation.source)"
                return [deviation.scenario, level, deviation.title, seen, names.joined(separator: ", ")]
            }
        }
        return Table(
            title: "Deviations",
            note: "Scenarios of levels must and should that fail, with what was seen instead.",
            rows: [["scenario", "level", "sentence", "seen", "subjects"]] + rows
        )
    }

    private static func disagreements(_ matrix: Matrix) -> Table {
        Table(
            title: "Disagreements",
            note:
                "Rules that some subjects follow and others do not; the number after a name counts scenarios.",
            rows: [["rule", "sentence", "not followed by", "followed by", "scenarios"]]
                + matrix.disagreements.map { row(of: $0, among: matrix.run.map(\.name)) }
        )
    }

    private static func row(of disagreement: Matrix.Disagreement, among subjects: [String]) -> [String] {
        let breaks = disagreement.breakers.flatMap(\.names)
        let names = subjects.filter(breaks.contains).map { name in
            "\(name) (\(breaks.count { $0 == name }))"
        }
        return [
            "\(disagreement.rule), \(disagreement.source)", disagreement.sentence,
            names.joined(separator: ", "), disagreement.holders.joined(separator: ", "),
            shown(disagreement.breakers.map(\.scenario)),
        ]
    }

    private static func shown(_ scenarios: [String]) -> String {
        let more = scenarios.count - longestList
        return scenarios.prefix(longestList).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
