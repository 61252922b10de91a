import WireSyntax

/// A request target in origin form, split but not decoded.
public struct TargetParts: Sendable, Hashable {
    /// Path as it was sent.
    public var path: String
    /// Query as it was sent; `nil` if there is none.
    public var query: String?

    /// Splits a target; the authority of an absolute form is dropped.
    public init(_ target: String) {
        var text = target[...]
        // Nearly every target begins with its path, and parsing a URL takes longer than the rest.
        if text.utf8.first != 0x2F, let url = URLParts(text), url.isHTTP { text = url.target[...] }
        let mark = text.utf8.firstIndex(of: 0x3F)
        path = String(text[..<(mark ?? text.endIndex)])
        query = mark.map { String(text[text.utf8.index(after: $0)...]) }
        if path.isEmpty { path = "/" }
    }
}
