/// Whether a request accepts gzip, RFC 9110 §12.5.3.
enum AcceptedCoding {
    /// Returns whether the value of `Accept-Encoding` allows gzip with a weight above zero.
    ///
    /// Without the field any coding is allowed, but clients may not decode it, so gzip is not used.
    static func allowsGzip(_ value: String?) -> Bool {
        guard let value else { return false }
        var wildcard = false
        for member in value.split(separator: ",") {
            let parts = member.split(separator: ";").map(\.trimmed)
            guard let coding = parts.first?.lowercased() else { continue }
            let isAllowed = weight(parts.dropFirst()) > 0
            if coding == "gzip" || coding == "x-gzip" { return isAllowed }
            if coding == "*" { wildcard = isAllowed }
        }
        return wildcard
    }

    private static func weight(_ parameters: ArraySlice<String>) -> Double {
        for parameter in parameters where parameter.lowercased().hasPrefix("q=") {
            return Double(parameter.dropFirst(2)) ?? 0
        }
        return 1
    }
}
