/// Whether the faults of the suite's own implementation are copied where they decide a verdict.
public enum SuiteDialect: String, Sendable, Hashable, CaseIterable {
    /// They are, so that verdicts are those of the suite's own server and client.
    case compatible
    /// They are mended.
    case strict
}
