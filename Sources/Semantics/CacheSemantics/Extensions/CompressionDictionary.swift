public import HTTPTypes

/// The content codings that need a dictionary which the client has offered (RFC 9842).
public enum CompressionDictionary {
    /// The content codings, Dictionary-Compressed Brotli and Dictionary-Compressed Zstandard (RFC 9842 §4, §5).
    public static let codings = ["dcb", "dcz"]

    /// The fields by which a client offers a dictionary and the codings: a response that uses it is for the same values
    /// only, regardless of its Vary (RFC 9842 §6.2).
    public static let selecting: [HTTPField.Name] = [.acceptEncoding, .availableDictionary]

    /// Whether a line of Content-Encoding has one of the codings.
    static func isUsed(by line: String) -> Bool {
        // Usual codings are short; parsing them costs more than this.
        guard line.utf8.count > 2, line.utf8.contains(where: { $0 | 0x20 == 0x63 }) else { return false }
        return FieldList.members(of: [line]) { ASCII.lowercased($0) }.contains(where: codings.contains)
    }

    /// Whether a response with these fields is coded with a dictionary.
    public static func isUsed(by fields: HTTPFields) -> Bool {
        fields[values: .contentEncoding].contains { isUsed(by: $0) }
    }
}

extension CacheEngine {
    /// Returns for how many seconds a stored response may be offered as a dictionary: while it is fresh, or may be served
    /// stale (RFC 9842 §2.2.1); 0 if it may not be.
    ///
    /// Whether it is one, and for which requests, is in its Use-As-Dictionary.
    package func secondsAsDictionary(_ stored: StoredResponse, now: HTTPDate) -> Int64 {
        let control = control(of: stored.facts)
        guard mayBeStored(stored), !stored.isInvalidated, control.noCache != .everything else { return 0 }
        let window = prohibition(of: stored) == nil ? control.staleWhileRevalidate ?? 0 : 0
        let end = lifetime(of: stored).seconds + window
        return max(0, end - CurrentAge(of: stored, now: now).seconds)
    }
}
