import JSON
import MockOrigin
import TextCodings

/// The data of a page, which its script reads.
enum HTMLData {
    /// Data up to this length in bytes stays readable in the file.
    private static let longestPlain = 64 << 10

    /// Returns the element with a value: as JSON, or compressed with gzip and encoded in Base64 if it is long.
    static func element(_ value: JSONValue) -> String {
        let text = value.written()
        if text.utf8.count > longestPlain {
            let packed = Base64.encode(Gzip.compress(Array(text.utf8)))
            return "<script id=\"data\" type=\"application/gzip\">\(packed)</script>"
        }
        // In JSON, a < is always in a string. It might begin the end of the element.
        let safe = text.replacing("<", with: "\\u003c")
        return "<script id=\"data\" type=\"application/json\">\(safe)</script>"
    }
}
