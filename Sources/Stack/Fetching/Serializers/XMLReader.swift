import MarkupParsing

/// Builds elements from the events of an XML document.
struct XMLReader {
    private var open: [XMLElement] = []
    private var root: XMLElement?

    /// Returns the root element of a document; throws `undecodable` if it is not well-formed.
    static func root(of bytes: [UInt8], depthLimit: Int) throws(FetchError) -> XMLElement {
        guard bytes.count <= Int32.max else {
            throw FetchError(.undecodable, "The content is too large for XML.")
        }
        var reader = XMLReader()
        do throws(MarkupProblem) {
            try MarkupParser.parse(xml: bytes, depthLimit: depthLimit) { reader.add($0) }
        } catch {
            throw FetchError(.undecodable, "The content is not XML: \(error).")
        }
        guard let root = reader.root else {
            throw FetchError(.undecodable, "The content is not XML: no element.")
        }
        return root
    }

    private mutating func add(_ event: MarkupEvent) {
        switch event {
        case .start(let prefix, let name, let attributes):
            open.append(XMLElement(name: prefix.map { $0 + ":" + name } ?? name, attributes: attributes))
        case .end: close()
        case .text(let text): add(text)
        }
    }

    private mutating func close() {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(.element(element)) }
    }

    private mutating func add(_ text: String) {
        guard !open.isEmpty else { return }
        let last = open.count - 1
        if case .text(let before) = open[last].children.last {
            open[last].children[open[last].children.count - 1] = .text(before + text)
        } else {
            open[last].children.append(.text(text))
        }
    }
}
