import CacheStorage
import HTTPTypes

/// Checks whether the fields that determine the end of a response can be trusted (RFC 9112 §6).
enum ResponseFraming {
    /// Returns the reason why they cannot be trusted; `nil` if they can.
    static func problem(of response: HTTPResponse, _ version: HTTPVersion) -> String? {
        let coding = response.headerFields[.transferEncoding]
        let length = response.headerFields[.contentLength]
        if coding == nil, length == nil { return nil }
        // RFC 9110 §8.6, RFC 9112 §6.1: neither may be sent. libcurl would apply them to the final response.
        if (100..<200).contains(response.status.code) {
            let name = length == nil ? "Transfer-Encoding" : "Content-Length"
            return "The server's interim response has a \(name)."
        }
        if let coding, let problem = problem(ofCoding: coding, version) { return problem }
        return length.flatMap { problem(ofLength: $0, isOverridden: coding != nil) }
    }

    // MARK: Content-Length

    /// Returns the problem of a Content-Length: a list of equal values is one value; a transfer coding overrides values
    /// that differ (RFC 9112 §6.3).
    private static func problem(ofLength text: String, isOverridden: Bool) -> String? {
        var lengths: Set<Int64> = []
        for member in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let length = length(Substring(member)) else {
                return "The server's response has an invalid Content-Length: '\(text)'."
            }
            lengths.insert(length)
        }
        return lengths.count > 1 && !isOverridden
            ? "The server's response has several values of Content-Length." : nil
    }

    /// Returns the value of `1*DIGIT` (RFC 9110 §8.6); `nil` for anything else, and for a number too large for
    /// libcurl.
    private static func length(_ member: Substring) -> Int64? {
        let digits = withoutWhitespace(member)
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(digits)
    }

    // MARK: Transfer-Encoding

    /// The registered transfer codings except `chunked`, including reserved and deprecated ones (RFC 9112 §12.3).
    private static let registeredCodings: Set<String> = [
        "compress", "deflate", "gzip", "identity", "trailers", "x-compress", "x-gzip",
    ]

    /// Returns the problem of a transfer coding: without a final `chunked`, the content ends with the connection (RFC
    /// 9112 §6.1, §6.3 (4)).
    ///
    /// That applies to a single coding that is not registered. The effect of a registered one is not undone here, nor
    /// is `chunked` if it is not the only one, so the coded bytes would be treated as the content.
    private static func problem(ofCoding text: String, _ version: HTTPVersion) -> String? {
        guard version == .http11 else {
            return "The server's response has a transfer coding, but its version is HTTP/\(version.rawValue)."
        }
        if isChunked(text) { return nil }
        let name = String(withoutWhitespace(text[...]))
        guard HTTPField.Name(name) != nil, !registeredCodings.contains(name.lowercased()) else {
            return "The server's response has a transfer coding that cannot be decoded: '\(text)'."
        }
        return nil
    }

    private static func withoutWhitespace(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = text.drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
    }

    /// Returns whether a response's content, if any, ends only with the connection (RFC 9112 §6.3).
    static func endsWithConnection(_ fields: HTTPFields) -> Bool {
        guard let coding = fields[.transferEncoding] else { return fields[.contentLength] == nil }
        return !isChunked(coding)
    }

    /// Whether `chunked` is the only member of a list; empty ones do not count (RFC 9110 §5.6.1.2).
    private static func isChunked(_ list: String) -> Bool {
        let members = list.split(separator: ",").map { withoutWhitespace($0) }.filter { !$0.isEmpty }
        // By bytes: in Unicode's lower case the sign of the kelvin is a k.
        return members.count == 1 && members[0].utf8.elementsEqual("chunked".utf8) { $0 | 0x20 == $1 }
    }
}
