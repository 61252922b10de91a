/// The references in a style sheet: `url(…)` and `@import` (CSS Syntax §4.3).
enum StyleSheetLinks {
    private static let limit = 5000

    /// Returns them as written, without those of `data:`; comments are skipped.
    static func references(in sheet: String) -> [String] {
        var rest = Array(withoutComments(Array(sheet.utf8)))[...]
        var found: [String] = []
        while let byte = rest.first, found.count < limit {
            let text = reference(&rest, from: byte) ?? ""
            if !text.isEmpty, !text.lowercased().hasPrefix("data:"), !text.hasPrefix("#") {
                found.append(text)
            }
        }
        return found
    }

    /// Reads a reference, or a text or byte that is none; `byte` is next.
    private static func reference(_ rest: inout ArraySlice<UInt8>, from byte: UInt8) -> String? {
        if starts(rest, with: "url(") {
            rest = rest.dropFirst(4)
            return reference(&rest, until: UInt8(ascii: ")"))
        }
        if starts(rest, with: "@import") {
            rest = rest.dropFirst(7).drop(while: isSpace)
            return rest.first.flatMap { isQuote($0) ? reference(&rest, until: $0) : nil }
        }
        // Quoted text contains no reference, regardless of its content.
        if isQuote(byte) { _ = reference(&rest, until: byte) } else { rest = rest.dropFirst() }
        return nil
    }

    /// Reads a quoted string, or text up to `end`; a backslash escapes the next byte.
    private static func reference(_ rest: inout ArraySlice<UInt8>, until end: UInt8) -> String {
        rest = rest.drop(while: isSpace)
        var end = end
        if let quote = rest.first, isQuote(quote) {
            end = quote
            rest = rest.dropFirst()
        }
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != end {
            let isEscape = byte == UInt8(ascii: "\\")
            text.append(isEscape ? rest.popFirst() ?? byte : byte)
        }
        while let last = text.last, isSpace(last) { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    private static func withoutComments(_ sheet: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var rest = sheet[...]
        while let byte = rest.first {
            guard starts(rest, with: "/*") else {
                kept.append(byte)
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(2)
            while !rest.isEmpty, !starts(rest, with: "*/") { rest = rest.dropFirst() }
            rest = rest.dropFirst(2)
        }
        return kept
    }

    /// Compares without regard to the case of letters.
    private static func starts(_ bytes: ArraySlice<UInt8>, with text: StaticString) -> Bool {
        guard bytes.count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            zip(bytes, expected).allSatisfy { byte, wanted in
                byte == wanted || (0x41...0x5A).contains(byte) && byte | 0x20 == wanted
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }
}
