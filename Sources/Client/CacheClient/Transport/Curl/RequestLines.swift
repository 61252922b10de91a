import CacheSemantics
import HTTPTypes

/// The field lines of a request in libcurl's form.
enum RequestLines {
    /// The values from which lines were made.
    struct Source {
        let fields: HTTPFields
        let names: [String]
        let method: HTTPRequest.Method
        let hasContent: Bool

        init(_ fields: HTTPFields, _ method: HTTPRequest.Method, hasContent: Bool) {
            self.fields = fields
            names = fields.map(\.name.rawName)
            self.method = method
            self.hasContent = hasContent
        }

        func isMade(of fields: HTTPFields, _ method: HTTPRequest.Method, hasContent: Bool) -> Bool {
            self.method == method && self.hasContent == hasContent && self.fields.hasSameBytes(as: fields)
                // Names are sent with their spelling.
                && names.indices.allSatisfy { names[$0] == fields[$0].name.rawName }
        }
    }

    /// Returns the field lines in libcurl's notation, each terminated by NUL: `Name;` is an empty value, `Name:`
    /// suppresses libcurl's own line.
    static func lines(
        of fields: HTTPFields,
        _ method: HTTPRequest.Method,
        hasContent: Bool
    ) -> [[UInt8]] {
        // Framing is left to the transport.
        var lines = fieldLines(fields)
        if !fields.contains(.accept) { lines.append(Array("Accept:\0".utf8)) }
        if hasContent, !fields.contains(.expect) { lines.append(Array("Expect:\0".utf8)) }
        // RFC 9110 §8.6: a method that gives content a meaning states that there is none.
        if !hasContent, [.post, .put, .patch].contains(method) {
            lines.append(Array("Content-Length: 0\0".utf8))
        }
        return lines
    }

    /// Returns one line for each field, but a single one for all cookies.
    private static func fieldLines(_ fields: HTTPFields) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var hasCookie = false
        let cookies = fields[fields: .cookie]
        for field in fields where field.name != .contentLength && field.name != .transferEncoding {
            // Cookies that HTTP/2 may send as several lines are one line in HTTP/1.1 (RFC 9113 §8.2.3, RFC 6265 §5.4).
            guard cookies.count > 1, field.name == .cookie else {
                lines.append(line(name: field.name.rawName, bytes(of: field)))
                continue
            }
            guard !hasCookie else { continue }
            hasCookie = true
            let values = cookies.map(bytes(of:)).filter { !$0.isEmpty }
            lines.append(line(name: field.name.rawName, Array(values.joined(separator: "; ".utf8))))
        }
        return lines
    }

    private static func bytes(of field: HTTPField) -> [UInt8] {
        field.withUnsafeBytesOfValue { Array($0) }
    }

    private static func line(name: String, _ value: [UInt8]) -> [UInt8] {
        Array(name.utf8) + Array((value.isEmpty ? ";" : ": ").utf8) + value + [0]
    }
}
