/// A manner of matching the built-in pages with a request's URL.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PageMatching: String, Sendable, Hashable, CaseIterable {
    /// A page answers its own path only.
    case path
    /// A page answers every URL whose decoded path or query contains its path, as on the documents' server; the first in
    /// the list of pages that does.
    case contained
}
