/// Formats of reports that are written once, at the end: those of `matrix` and of `mutants`.
package enum PageFormat: String, Sendable, Hashable, CaseIterable {
    /// For a terminal.
    case text
    /// For a repository.
    case markdown
    /// For programs: one object.
    case json
    /// One page that needs no other file.
    case html
}
