import TextCodings

/// Derives safe file names from URLs and header fields.
enum FileName {
    /// Returns a file name from the last component of a URL's path; `download` if it has none.
    static func of(url: String) -> String {
        var rest = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = rest.range(of: "://") {
            rest = rest[scheme.upperBound...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
        }
        let last = rest.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return safe(decoded(last)) ?? "download"
    }

    /// Returns the file name of a Content-Disposition field (RFC 6266); `nil` if it has no usable one.
    static func of(disposition: String) -> String? {
        let parameters = DispositionParameters(disposition)
        if let extended = parameters["filename*"] {
            let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count == 3, parts[0].lowercased() == "utf-8", let name = safe(decoded(parts[2])) {
                return name
            }
        }
        return parameters["filename"].flatMap { safe($0) }
    }

    /// Returns a name that is safe in a folder: the part after the last slash or backslash, without control
    /// characters or leading dots, of at most 200 bytes.
    ///
    /// `nil` if nothing remains.
    static func safe(_ name: String) -> String? {
        // Compare scalars, not characters: a slash can be part of a grapheme cluster and still separates path
        // components.
        let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? "".unicodeScalars[...]
        var scalars = last.filter { scalar in !controls.contains { $0.contains(scalar.value) } }
        while let first = scalars.first, first == "." || first == " " { scalars.removeFirst() }
        while let end = scalars.last, end == "." || end == " " { scalars.removeLast() }
        var text = ""
        for scalar in scalars where text.utf8.count + String(scalar).utf8.count <= 200 {
            text.unicodeScalars.append(scalar)
        }
        return text.isEmpty ? nil : text
    }

    /// Control characters, and those that change the direction of a text.
    private static let controls: [ClosedRange<UInt32>] = [
        0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069,
    ]

    /// Returns a text percent-decoded, or unchanged if the result is not UTF-8.
    private static func decoded(_ text: Substring) -> String {
        String(validating: PercentText.bytes(text), as: UTF8.self) ?? String(text)
    }
}

/// The parameters of a Content-Disposition field by lower-case name; the first of several with the same name
/// is used.
private struct DispositionParameters {
    private var values: [String: String] = [:]

    subscript(name: String) -> String? { values[name] }

    init(_ field: String) {
        var rest = Substring(field)
        rest = rest.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.drop { $0 == ";" || $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value = Self.value(&rest)
            let key = name.lowercased().filter { $0 != " " }
            if values[key] == nil { values[key] = value }
        }
    }

    private static func value(_ rest: inout Substring) -> String {
        rest = rest.drop { $0 == " " }
        if rest.first == "\"" { return quoted(&rest) }
        let token = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(token.count)
        return String(token)
    }

    private static func quoted(_ rest: inout Substring) -> String {
        rest = rest.dropFirst()
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let escaped = rest.popFirst() {
                text.append(escaped)
            } else {
                text.append(character)
            }
        }
        rest = rest.drop { $0 != ";" }
        return text
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
