import HTTPTypes

/// Field names that are stored as one byte; its order is part of the binary form, so names are only ever appended.
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

    private static let codes = Dictionary(
        uniqueKeysWithValues: zip(names.map(\.rawName), UInt8(1)...)
    )

    /// The byte for a name in exactly this spelling; zero when there is none.
    static func code(_ name: HTTPField.Name) -> UInt8 { codes[name.rawName] ?? 0 }

    /// The name that a byte other than zero stands for.
    static func name(_ code: UInt8) -> HTTPField.Name? {
        code > 0 && Int(code) <= names.count ? names[Int(code) - 1] : nil
    }
}
