/// A request target in origin form, taken apart but not decoded.
public struct TargetParts: Sendable, Hashable {
    /// Path as it was sent.
    public var path: String
    /// Query as it was sent; `nil` where there is none.
    public var query: String?

    /// Takes a target apart; of an absolute form the authority is dropped.
    public init(_ target: String) {
        var text = target[...]
        // Nearly every target begins with its path, and looking for more costs more than all the rest.
        if text.utf8.first != 0x2F, text.hasPrefix("http"), let scheme = text.firstRange(of: "://") {
            let afterAuthority = text[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" }
            text = afterAuthority.map { text[$0...] } ?? "/"
        }
        let mark = text.utf8.firstIndex(of: 0x3F)
        path = String(text[..<(mark ?? text.endIndex)])
        query = mark.map { String(text[text.utf8.index(after: $0)...]) }
        if path.isEmpty { path = "/" }
    }
}
