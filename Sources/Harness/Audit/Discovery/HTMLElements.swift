import Cxml2

/// The start tags of an HTML document, read by libxml2 without building a tree.
final class HTMLElements {
    /// Deeper documents are read up to there: libxml2 compares each end tag with all open elements.
    private static let depthLimit = 2000
    private static let pieceBytes = 1 << 16
    private let visit: (_ name: String, _ attributes: [String: String]) -> Void
    private var depth = 0

    private init(_ visit: @escaping (String, [String: String]) -> Void) { self.visit = visit }

    /// Calls `visit` with the name and the attributes, in lower case, of each element in document order.
    ///
    /// Nothing is fetched. As browsers do, it reads anything that is not HTML as well as it can.
    static func visit(_ html: [UInt8], _ visit: @escaping (String, [String: String]) -> Void) {
        HTMLElements(visit).parse(html)
    }

    private func parse(_ html: [UInt8]) {
        // Set only these callbacks: libxml2's default ones would misinterpret the reader as their context.
        var handler = htmlSAXHandler()
        handler.startElement = startElement
        handler.endElement = endElement
        cachecheck_silence(&handler)
        let reader = Unmanaged.passUnretained(self).toOpaque()
        guard let context = htmlCreatePushParserCtxt(&handler, reader, nil, 0, nil, XML_CHAR_ENCODING_NONE)
        else { return }
        defer { htmlFreeParserCtxt(context) }
        htmlCtxtUseOptions(context, Int32(HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue))
        pass(html, to: context)
        if depth < Self.depthLimit { htmlParseChunk(context, nil, 0, 1) }
    }

    /// Passes the text in pieces, until it is nested too deeply.
    private func pass(_ html: [UInt8], to context: htmlParserCtxtPtr) {
        html.withUnsafeBytes { buffer in
            let text = buffer.bindMemory(to: CChar.self)
            var start = 0
            while start < text.count, depth < Self.depthLimit {
                let count = min(Self.pieceBytes, text.count - start)
                htmlParseChunk(context, text.baseAddress.map { $0 + start }, Int32(count), 0)
                start += count
            }
        }
    }

    fileprivate func start(_ name: String, _ attributes: [String: String]) {
        depth += 1
        if depth < Self.depthLimit { visit(name, attributes) }
    }

    fileprivate func end() { depth -= 1 }
}

private func elements(_ context: UnsafeMutableRawPointer?) -> HTMLElements? {
    context.map { Unmanaged<HTMLElements>.fromOpaque($0).takeUnretainedValue() }
}

private func text(_ bytes: UnsafePointer<xmlChar>?) -> String? { bytes.map { String(cString: $0) } }

private func startElement(
    _ context: UnsafeMutableRawPointer?,
    _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    var values: [String: String] = [:]
    var index = 0
    // Names and values alternate; a null name ends them, a null value is that of an attribute without one.
    while let attributes, let key = text(attributes[index]) {
        // As in browsers, the first of equal attributes counts.
        if values[key.lowercased()] == nil { values[key.lowercased()] = text(attributes[index + 1]) ?? "" }
        index += 2
    }
    elements(context)?.start(text(name)?.lowercased() ?? "", values)
}

private func endElement(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) {
    elements(context)?.end()
}
