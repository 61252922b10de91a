/// A part of an XML or HTML document, in the document's order.
package enum MarkupEvent: Sendable, Hashable {
    /// The start tag of an element; the names of attributes include their prefixes.
    case start(prefix: String?, name: String, attributes: [String: String])
    /// The end of an element.
    case end
    /// Text with its references resolved; consecutive text may be in several parts.
    case text(String)
}

/// A reason why a document is rejected.
package enum MarkupProblem: Error, Hashable, CustomStringConvertible {
    /// The document is not well-formed, with the line and libxml2's message.
    case malformed(String)
    /// Elements are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// The document declares entities.
    case declaresEntities

    /// The problem as a clause.
    package var description: String {
        switch self {
        case .malformed(let message): message
        case .tooDeep(let limit): "elements are nested deeper than the limit of \(limit)"
        case .declaresEntities: "it declares entities, which are not supported"
        }
    }
}
