import CacheSemantics
import PublicSuite

/// The selected tests of the public suite, in the order of their files, each with one kind of cache.
struct SuitePlan: Sendable {
    /// One test with one kind of cache.
    struct Item: Sendable {
        let test: SuiteTest
        /// The file's path.
        let file: String
        /// The suite's id.
        let area: String
        let cacheKind: CacheKind
        /// The reason why the test does not apply; `nil` if it does.
        let obstacle: String?
    }
    private(set) var items: [Item] = []

    /// Plans the selected tests and their dependencies.
    init(_ files: [SuiteFile], selection: Selection, subject: RunOptions.Subject) {
        let tests = files.flatMap(\.suites).flatMap(\.tests)
        let wanted = Self.closure(of: tests.filter(selection.selects).map(\.id), in: tests)
        let kinds = Self.kinds(selection, subject)
        for (path, suite) in files.flatMap({ file in file.suites.map { (file.path, $0) } }) {
            for test in suite.tests where wanted.contains(test.id) {
                items += kinds.map { kind in
                    let obstacle = Self.obstacle(to: test, kind, subject)
                    return Item(test: test, file: path, area: suite.id, cacheKind: kind, obstacle: obstacle)
                }
            }
        }
    }

    /// Returns the kinds of cache to test; a subject outside the process has only one.
    private static func kinds(_ selection: Selection, _ subject: RunOptions.Subject) -> [CacheKind] {
        guard let usual = subject.usualKind else { return [.private, .shared].filter(selection.selects) }
        return [selection.cacheKinds.count == 1 ? selection.cacheKinds.first ?? usual : usual]
    }

    private static func obstacle(
        to test: SuiteTest,
        _ kind: CacheKind,
        _ subject: RunOptions.Subject
    ) -> String? {
        if test.isBrowserOnly { return "The test is only for browsers." }
        guard subject.isClient, kind == .private else { return nil }
        if test.isCDNOnly { return "The test is for caches of content delivery networks, which are shared." }
        return test.isSkippedByBrowsers ? "The test is not for private caches such as a browser's." : nil
    }

    private static func closure(of selected: [String], in tests: [SuiteTest]) -> Set<String> {
        let byID = Dictionary(tests.map { ($0.id, $0) }) { first, _ in first }
        var wanted: Set<String> = []
        var open = selected
        while let id = open.popLast() {
            guard wanted.insert(id).inserted, let test = byID[id] else { continue }
            open += test.dependencies
        }
        return wanted
    }
}

extension Selection {
    fileprivate func selects(_ test: SuiteTest) -> Bool {
        (levels.isEmpty || levels.contains(test.kind.level))
            && (filters.isEmpty || filters.contains { $0.matches(test.id) })
            // The suite's tests name no rules.
            && rules.isEmpty
            && shard?.contains(test.id) != false
    }
}

extension SuiteTest.Kind {
    /// The level with the same effect on a run.
    var level: RuleLevel {
        switch self {
        case .required: .must
        case .optimal: .optimal
        case .check: .check
        }
    }
}
