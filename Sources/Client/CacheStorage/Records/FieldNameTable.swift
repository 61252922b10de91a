import HTTPTypes

/// The field names that are stored as one byte; their order is part of the binary form, so names are only ever
/// appended.
enum FieldNameTable {
    static let names: [HTTPField.Name] = [
        .cacheControl, .contentType, .date, .eTag, .lastModified, .contentLength, .server, .expires, .age,
        .vary,
        .contentEncoding, .contentLanguage, .contentLocation, .location, .connection, .acceptRanges,
        .setCookie, .via,
        .accept, .acceptEncoding, .acceptLanguage, .userAgent, .accessControlAllowOrigin,
        .authorization,
        .cookie, .transferEncoding, .strictTransportSecurity, .contentDisposition, .xContentTypeOptions,
    ]

    /// The names with their bytes, by length: comparing a few costs less than hashing one.
    private static let codes: [[(name: String, code: UInt8)]] = {
        var codes = [[(name: String, code: UInt8)]](repeating: [], count: 32)
        for (name, code) in zip(names, UInt8(1)...) {
            codes[name.rawName.utf8.count % codes.count].append((name.rawName, code))
        }
        return codes
    }()

    /// Returns the byte for a name in exactly this spelling; zero if there is none.
    static func code(_ name: HTTPField.Name) -> UInt8 {
        let text = name.rawName
        for known in codes[text.utf8.count % 32] where known.name == text { return known.code }
        return 0
    }

    /// Returns the name that a byte other than zero represents.
    static func name(_ code: UInt8) -> HTTPField.Name? {
        code > 0 && Int(code) <= names.count ? names[Int(code) - 1] : nil
    }
}
