import OriginScript

/// The tables of subjects and reports: for help texts, and for documents, where comments mark their places.
package enum ConformanceReference {
    /// The subjects that the command line accepts, as a help text lists them.
    package static var subjectNames: String {
        (SubjectForm.allCases.map(\.row.name) + KnownProxy.all.map(\.name)).joined(separator: ", ")
            + ", or a driver that `cachecheck driver list` names"
    }

    /// The tables of docs/ci.md.
    static var reports: [(name: String, markdown: String)] {
        [("reports", withExamples(ReportKind.table, "`--report`", "format"))]
    }

    /// The tables of docs/own-proxy.md.
    static var subjects: [(name: String, markdown: String)] {
        let rows = SubjectForm.allCases.map(\.row) + KnownProxy.all.map(\.row)
        return [("subjects", withExamples(rows, "`--subject`", "cache"))]
    }

    /// The tables of fixtures/drivers/README.md.
    static var drivers: [(name: String, markdown: String)] {
        [
            ("drivers", plain(BundledDrivers.table.map(\.row), "driver", "cache")),
            ("proxies", plain(KnownProxy.all.map(\.setUpRow), "proxy", "configuration")),
        ]
    }

    private static func withExamples(_ rows: [ReferenceRow], _ name: String, _ summary: String) -> String {
        ReferenceTable(rows).markdown([(name, .name), (summary, .summary), ("example", .example)])
    }

    private static func plain(_ rows: [ReferenceRow], _ name: String, _ summary: String) -> String {
        ReferenceTable(rows).markdown([(name, .name), (summary, .summary)])
    }
}
