/// An element of an XML document, including its content.
public struct XMLElement: Sendable, Hashable {
    /// A child of an element.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Child: Sendable, Hashable {
        /// A child element.
        case element(XMLElement)
        /// Text with its references resolved; never empty.
        case text(String)
    }
    /// The name, with its prefix.
    public var name: String
    /// The attributes by name, with their prefixes.
    public var attributes: [String: String]
    /// Elements and text in document order; comments and processing instructions are omitted.
    public var children: [Child]

    /// Creates an element.
    public init(name: String, attributes: [String: String] = [:], children: [Child] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The child elements in document order.
    public var elements: [XMLElement] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The first child element with this name; `nil` if there is none.
    public subscript(name: String) -> XMLElement? { elements.first { $0.name == name } }

    /// All text in the element and its descendants, in document order.
    public var text: String {
        children.map { child in
            switch child {
            case .text(let text): text
            case .element(let element): element.text
            }
        }.joined()
    }
}
