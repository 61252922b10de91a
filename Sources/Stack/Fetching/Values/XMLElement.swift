/// An element of an XML document with everything in it.
public struct XMLElement: Sendable, Hashable {
    /// What an element has in it.
    public enum Child: Sendable, Hashable {
        /// An element.
        case element(XMLElement)
        /// Text, references resolved; never empty.
        case text(String)
    }
    /// The name, with its prefix.
    public var name: String
    /// The attributes by name, with their prefixes.
    public var attributes: [String: String]
    /// Elements and text in order; comments and instructions are left out.
    public var children: [Child]

    /// Creates an element.
    public init(name: String, attributes: [String: String] = [:], children: [Child] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The elements in it, in order.
    public var elements: [XMLElement] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The first element in it of a name; `nil` where there is none.
    public subscript(name: String) -> XMLElement? { elements.first { $0.name == name } }

    /// All text in it, of every depth, in order.
    public var text: String {
        children.map { child in
            switch child {
            case .text(let text): text
            case .element(let element): element.text
            }
        }.joined()
    }
}
