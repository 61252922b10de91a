import Cxml2

/// Reads XML and HTML with libxml2, without building a tree; fetches nothing.
package final class MarkupParser {
    private static let pieceBytes = 1 << 16
    private let depthLimit: Int
    fileprivate let visit: (MarkupEvent) -> Void
    private var depth = 0
    private var problem: MarkupProblem?

    private init(_ depthLimit: Int, _ visit: @escaping (MarkupEvent) -> Void) {
        self.depthLimit = depthLimit
        self.visit = visit
    }

    /// Calls `visit` with the events of an XML document, until its end or a problem.
    ///
    /// Only the five predefined entities are resolved.
    package static func parse(
        xml: [UInt8],
        depthLimit: Int = .max,
        _ visit: @escaping (MarkupEvent) -> Void
    ) throws(MarkupProblem) {
        let parser = MarkupParser(depthLimit, visit)
        // Set only these callbacks: libxml2's default ones would misinterpret the parser as their context.
        var handler = xmlSAXHandler()
        handler.initialized = XML_SAX2_MAGIC
        handler.startElementNs = startXMLElement
        handler.endElementNs = { context, _, _, _ in recover(context)?.end() }
        handler.characters = characters
        handler.cdataBlock = characters
        handler.ignorableWhitespace = characters
        handler.entityDecl = { context, _, _, _, _, _ in recover(context)?.report(.declaresEntities) }
        cachecheck_silence(&handler)
        guard let context = xmlCreatePushParserCtxt(&handler, parser.opaque, nil, 0, nil) else {
            throw .malformed("not enough memory for a parser")
        }
        defer { xmlFreeParserCtxt(context) }
        xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
        let code = parser.pass(xml) { xmlParseChunk(context, $0, $1, $2) }
        if let problem = parser.problem { throw problem }
        if code != 0 || context.pointee.wellFormed != 1 { throw .malformed(message(code, context)) }
    }

    /// Calls `visit` with the name and the attributes, in lower case, of each element of an HTML document, in its order.
    ///
    /// As browsers do, it reads whatever is not HTML as well as it can. Documents that are nested too deeply are read up to there.
    package static func visitElements(
        ofHTML html: [UInt8],
        _ visit: @escaping (_ name: String, _ attributes: [String: String]) -> Void
    ) {
        // libxml2 compares each end tag with all open elements.
        let parser = MarkupParser(1999) { event in
            if case .start(_, let name, let attributes) = event { visit(name, attributes) }
        }
        var handler = htmlSAXHandler()
        handler.startElement = startHTMLElement
        handler.endElement = { context, _ in recover(context)?.end() }
        cachecheck_silence(&handler)
        let encoding = XML_CHAR_ENCODING_NONE
        guard let context = htmlCreatePushParserCtxt(&handler, parser.opaque, nil, 0, nil, encoding) else {
            return
        }
        defer { htmlFreeParserCtxt(context) }
        htmlCtxtUseOptions(context, Int32(HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue))
        _ = parser.pass(html) { htmlParseChunk(context, $0, $1, $2) }
    }

    /// Passes the text in pieces, until its end or a problem; returns the last result.
    private func pass(
        _ text: [UInt8],
        to parseChunk: (_ piece: UnsafePointer<CChar>?, _ count: Int32, _ isLast: Int32) -> Int32
    ) -> Int32 {
        text.withUnsafeBytes { buffer in
            let text = buffer.bindMemory(to: CChar.self)
            var start = 0
            while start < text.count, problem == nil {
                let count = min(Self.pieceBytes, text.count - start)
                _ = parseChunk(text.baseAddress.map { $0 + start }, Int32(count), 0)
                start += count
            }
            return problem == nil ? parseChunk(nil, 0, 1) : 0
        }
    }

    private static func message(_ code: Int32, _ context: xmlParserCtxtPtr) -> String {
        guard let error = xmlCtxtGetLastError(context), let text = error.pointee.message else {
            return "error \(code)"
        }
        return "line \(error.pointee.line): \(String(cString: text).filter { !$0.isNewline })"
    }

    // MARK: Events

    private var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    fileprivate func start(_ prefix: String?, _ name: String, _ attributes: [String: String]) {
        depth += 1
        guard depth <= depthLimit else { return report(.tooDeep(limit: depthLimit)) }
        visit(.start(prefix: prefix, name: name, attributes: attributes))
    }

    fileprivate func end() {
        depth -= 1
        visit(.end)
    }

    fileprivate func report(_ found: MarkupProblem) { problem = problem ?? found }
}

// MARK: Callbacks

private func recover(_ context: UnsafeMutableRawPointer?) -> MarkupParser? {
    context.map { Unmanaged<MarkupParser>.fromOpaque($0).takeUnretainedValue() }
}

private func text(_ bytes: UnsafePointer<xmlChar>?) -> String? { bytes.map { String(cString: $0) } }

private func startXMLElement(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?,
    _ namespaceCount: Int32,
    _ namespaces: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
    _ attributeCount: Int32,
    _ defaultedCount: Int32,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    var values: [String: String] = [:]
    for index in 0..<Int(attributeCount) {
        // Five pointers each: local name, prefix, namespace, start and end of the value.
        guard let attributes, let local = text(attributes[5 * index]),
            let begin = attributes[5 * index + 3], let end = attributes[5 * index + 4]
        else { continue }
        let value = UnsafeBufferPointer(start: begin, count: end - begin)
        let name = text(attributes[5 * index + 1]).map { $0 + ":" + local } ?? local
        values[name] = String(decoding: value, as: UTF8.self)
    }
    recover(context)?.start(text(prefix), text(name) ?? "", values)
}

private func startHTMLElement(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    var values: [String: String] = [:]
    var index = 0
    // Names and values alternate; a null name ends them, a null value is that of an attribute without one.
    while let attributes, let key = text(attributes[index])?.lowercased() {
        // As in browsers, the first of equal attributes counts.
        if values[key] == nil { values[key] = text(attributes[index + 1]) ?? "" }
        index += 2
    }
    recover(context)?.start(nil, text(name)?.lowercased() ?? "", values)
}

private func characters(
    _ context: UnsafeMutableRawPointer?,
    _ bytes: UnsafePointer<xmlChar>?,
    _ count: Int32
) {
    guard let bytes, count > 0 else { return }
    let text = UnsafeBufferPointer(start: bytes, count: Int(count))
    recover(context)?.visit(.text(String(decoding: text, as: UTF8.self)))
}
