package import HTTPTypes
package import LocatedYAML
import WireSyntax

/// Parses heads as on the wire, or as printed by tools: with LF for CRLF, with `> ` or `< ` before lines, and with curl's
/// comments.
package enum RawHead {
    /// The authority of a request for which no URL is given; it is reserved for examples (RFC 2606).
    package static let assumedAuthority = "origin.example"

    /// Parses a request; `scheme` is for a target in origin form.
    ///
    /// The authority is that of an absolute target, or of `Host`. Lines after an empty one are ignored.
    package static func request(
        _ text: String,
        file: String,
        scheme: String = "http"
    ) throws(YAMLProblems) -> HTTPRequest {
        let lines = headLines(text)
        let start = try startLine(lines, file, expected: "a request line such as GET /path HTTP/1.1")
        let parts = start.text.split(separator: " ")
        guard parts.count == 3 || parts.count == 2, let method = HTTPRequest.Method(String(parts[0])) else {
            throw problem(start, file, expected: "a request line such as GET /path HTTP/1.1")
        }
        let fields = try fields(lines.dropFirst(), file)
        guard let request = request(method, String(parts[1]), fields, scheme) else {
            throw problem(start, file, expected: "a target that is a path or an http or https URL")
        }
        return request
    }

    /// Parses a response.
    package static func response(_ text: String, file: String) throws(YAMLProblems) -> HTTPResponse {
        let lines = headLines(text)
        let start = try startLine(lines, file, expected: "a status line such as HTTP/1.1 200 OK")
        guard let status = MessageHead.status(start.text), (100...999).contains(status.code) else {
            throw problem(start, file, expected: "a status line such as HTTP/1.1 200 OK")
        }
        let fields = try fields(lines.dropFirst(), file)
        return HTTPResponse(
            status: .init(code: status.code, reasonPhrase: status.reason),
            headerFields: fields
        )
    }

    /// Splits a text into the heads of requests, `nil` if there is none, and of the responses that follow them.
    ///
    /// Content and interim responses that another response follows are left out. Returns at least one exchange: a text
    /// without a status line is a response, and a request at the end has an empty one.
    package static func exchanges(in text: String) -> [(request: String?, response: String)] {
        let lines = lines(of: text)
        let heads = headStarts(in: lines)
        var exchanges: [(request: String?, response: String)] = []
        var request: String?
        for (index, head) in heads.enumerated() {
            let next = index + 1 < heads.count ? heads[index + 1] : nil
            // Empty lines preserve the line numbers of problems.
            let text =
                String(repeating: "\n", count: head.line)
                + lines[head.line..<(next?.line ?? lines.count)].joined(separator: "\n")
            if !head.isResponse {
                request = text
            } else if next?.isResponse != true || !isInterim(lines[head.line]) {
                exchanges.append((request, text))
                request = nil
            }
        }
        if let request { exchanges.append((request, "")) }
        let hasResponse = heads.contains { $0.isResponse }
        return hasResponse ? exchanges : [(nil, text)]
    }

    /// Returns the lines with which heads start: the first line, status lines, and request lines after an empty line.
    private static func headStarts(in lines: [String]) -> [(line: Int, isResponse: Bool)] {
        var heads: [(line: Int, isResponse: Bool)] = []
        var isAfterEmpty = true
        for (index, line) in lines.enumerated() where !isComment(line) {
            defer { isAfterEmpty = line.isEmpty }
            if line.hasPrefix("HTTP/"), isAfterEmpty || heads.last?.isResponse == false,
                heads.isEmpty || MessageHead.status(line) != nil
            {
                heads.append((index, true))
            } else if isAfterEmpty, !line.isEmpty, heads.isEmpty || isRequestLine(line) {
                heads.append((index, false))
            }
        }
        return heads
    }

    private static func isRequestLine(_ line: String) -> Bool {
        let parts = line.split(separator: " ")
        return parts.count == 3 && parts[2].hasPrefix("HTTP/") && HTTPRequest.Method(String(parts[0])) != nil
    }

    private static func isInterim(_ line: String) -> Bool {
        MessageHead.status(line).map { (100...199).contains($0.code) } ?? false
    }

    /// Whether a line is one that curl -v prints about the connection; no line of a head starts so.
    private static func isComment(_ line: String) -> Bool {
        ["* ", "{ [", "} ["].contains { line.hasPrefix($0) }
    }

    /// Parses a field line `Name: value`; `nil` if it is malformed.
    package static func field(_ line: String) -> HTTPField? {
        guard let field = MessageHead.field(Array(line.utf8)[...]),
            let name = HTTPField.Name(String(decoding: field.name, as: UTF8.self))
        else { return nil }
        return HTTPField(name: name, value: String(decoding: field.value, as: UTF8.self))
    }

    // MARK: Lines

    private struct Line {
        let number: Int
        let text: String
    }

    /// Returns the lines of the first head, without empty lines before it.
    private static func headLines(_ text: String) -> [Line] {
        let all = lines(of: text).enumerated().map { Line(number: $0.offset + 1, text: $0.element) }
        let heads = all.filter { !isComment($0.text) }
        return Array(heads.drop { $0.text.isEmpty }.prefix { !$0.text.isEmpty })
    }

    /// Returns the lines without their ends, split at bytes because CRLF is one `Character`.
    private static func lines(of text: String) -> [String] {
        // Some editors put a byte order mark before the text.
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        return MessageHead.lines(Array(text.utf8.dropFirst(hasMark ? 3 : 0))).map {
            bare(String(decoding: $0, as: UTF8.self))
        }
    }

    /// Returns the line without the prefix that tools print.
    private static func bare(_ line: String) -> String {
        if line.hasPrefix("> ") || line.hasPrefix("< ") { return String(line.dropFirst(2)) }
        return line == ">" || line == "<" ? "" : line
    }

    private static func startLine(_ lines: [Line], _ file: String, expected: String) throws(YAMLProblems)
        -> Line
    {
        guard let first = lines.first else {
            throw problem(Line(number: 1, text: ""), file, expected: expected)
        }
        return first
    }

    private static func fields(_ lines: ArraySlice<Line>, _ file: String) throws(YAMLProblems) -> HTTPFields {
        var fields = HTTPFields()
        for line in lines {
            guard let field = field(line.text) else {
                throw problem(line, file, expected: "a field line such as Cache-Control: max-age=60")
            }
            fields.append(field)
        }
        return fields
    }

    /// Returns a request; `nil` for a target that is neither a path nor an http or https URL.
    private static func request(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: HTTPFields,
        _ scheme: String
    ) -> HTTPRequest? {
        var fields = fields
        let host = HTTPField.Name("Host").flatMap { name in
            defer { fields[name] = nil }
            return fields[name]
        }
        if let (scheme, authority, path) = absolute(target) {
            return HTTPRequest(
                method: method,
                scheme: scheme,
                authority: authority,
                path: path,
                headerFields: fields
            )
        }
        guard target.hasPrefix("/") else { return nil }
        return HTTPRequest(
            method: method,
            scheme: scheme,
            authority: host ?? assumedAuthority,
            path: target,
            headerFields: fields
        )
    }

    /// Returns the parts of an absolute http or https URL; `nil` for anything else.
    package static func absolute(_ url: String) -> (scheme: String, authority: String, path: String)? {
        guard let parts = URLParts(url), parts.isHTTP else { return nil }
        return (parts.scheme, parts.authority, parts.target)
    }

    private static func problem(_ line: Line, _ file: String, expected: String) -> YAMLProblems {
        let found = line.text.isEmpty ? "nothing" : YAMLNode.quoted(line.text)
        let position = Position(file: file, line: line.number, column: 1)
        return YAMLProblems([Problem(at: position, found: found, expected: expected)])
    }
}
