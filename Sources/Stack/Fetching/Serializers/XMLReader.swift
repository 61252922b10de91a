import Cxml2

/// Builds elements from libxml2's callbacks; fetches nothing and resolves only the five predefined entities.
final class XMLReader {
    private var open: [XMLElement] = []
    private var root: XMLElement?
    private var problem: String?
    private let depthLimit: Int

    private init(depthLimit: Int) { self.depthLimit = depthLimit }

    /// Returns the root element of a document; throws `undecodable` if it is not well-formed.
    static func root(of bytes: [UInt8], depthLimit: Int) throws(FetchError) -> XMLElement {
        guard bytes.count <= Int32.max else {
            throw FetchError(.undecodable, "The content is too large for XML.")
        }
        let reader = XMLReader(depthLimit: depthLimit)
        let problem = reader.parse(bytes)
        if let problem { throw FetchError(.undecodable, "The content is not XML: \(problem).") }
        guard let root = reader.root else {
            throw FetchError(.undecodable, "The content is not XML: no element.")
        }
        return root
    }

    /// Parses a document; returns the problem, or `nil`.
    private func parse(_ bytes: [UInt8]) -> String? {
        // Set only these callbacks: libxml2's default ones would misinterpret the reader as their context.
        var handler = xmlSAXHandler()
        handler.initialized = XML_SAX2_MAGIC
        handler.startElementNs = startElement
        handler.endElementNs = endElement
        handler.characters = characters
        handler.cdataBlock = characters
        handler.ignorableWhitespace = characters
        handler.entityDecl = entityDeclaration
        cachecheck_silence(&handler)
        let reader = Unmanaged.passUnretained(self).toOpaque()
        guard let context = xmlCreatePushParserCtxt(&handler, reader, nil, 0, nil) else {
            return "not enough memory for a parser"
        }
        defer { xmlFreeParserCtxt(context) }
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        let code = bytes.withUnsafeBytes { buffer in
            xmlParseChunk(context, buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count), 1)
        }
        if let problem { return problem }
        guard code == 0, context.pointee.wellFormed == 1 else { return Self.message(code, context) }
        return nil
    }

    private static func message(_ code: Int32, _ context: xmlParserCtxtPtr) -> String {
        guard let error = xmlCtxtGetLastError(context), let text = error.pointee.message else {
            return "error \(code)"
        }
        let message = String(cString: text).filter { !$0.isNewline }
        return "line \(error.pointee.line): \(message)"
    }

    fileprivate func start(_ element: XMLElement) {
        guard problem == nil else { return }
        guard open.count < depthLimit else {
            problem = "elements are nested deeper than the limit of \(depthLimit)"
            return
        }
        open.append(element)
    }

    fileprivate func end() {
        guard problem == nil, let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(.element(element)) }
    }

    fileprivate func add(_ text: String) {
        guard problem == nil, !open.isEmpty else { return }
        let last = open.count - 1
        if case .text(let before) = open[last].children.last {
            open[last].children[open[last].children.count - 1] = .text(before + text)
        } else {
            open[last].children.append(.text(text))
        }
    }

    fileprivate func refuseEntities() {
        problem = problem ?? "it declares entities, which are not supported"
    }
}

private func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
    context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

private func name(_ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?) -> String {
    let local = local.map { String(cString: $0) } ?? ""
    return prefix.map { String(cString: $0) + ":" + local } ?? local
}

private func startElement(
    _ context: UnsafeMutableRawPointer?,
    _ local: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?,
    _ namespaceCount: Int32,
    _ namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ attributeCount: Int32,
    _ defaultedCount: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    var element = XMLElement(name: name(local, prefix))
    for index in 0..<Int(attributeCount) {
        // Five pointers each: local name, prefix, namespace, start and end of the value.
        guard let attributes, let begin = attributes[5 * index + 3], let end = attributes[5 * index + 4]
        else {
            continue
        }
        let value = UnsafeBufferPointer(start: begin, count: end - begin)
        element.attributes[name(attributes[5 * index], attributes[5 * index + 1])] =
            String(decoding: value, as: UTF8.self)
    }
    reader(context)?.start(element)
}

private func endElement(
    _ context: UnsafeMutableRawPointer?,
    _ local: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
) {
    reader(context)?.end()
}

private func characters(
    _ context: UnsafeMutableRawPointer?,
    _ text: UnsafePointer<xmlChar>?,
    _ count: Int32
) {
    guard let text, count > 0 else { return }
    reader(context)?.add(String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self))
}

private func entityDeclaration(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ type: Int32,
    _ publicID: UnsafePointer<xmlChar>?,
    _ systemID: UnsafePointer<xmlChar>?,
    _ content: UnsafeMutablePointer<xmlChar>?
) {
    reader(context)?.refuseEntities()
}
