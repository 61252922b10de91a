import HTTPTypes

/// The field names that most responses have, found by their bytes: they need not be checked and put in lower case.
enum KnownNames {
    private static let names = [
        "Age", "Accept-Ranges", "Cache-Control", "Connection", "Content-Encoding", "Content-Language",
        "Content-Length", "Content-Type", "Date", "ETag", "Expires", "Keep-Alive", "Last-Modified",
        "Location",
        "Server", "Set-Cookie", "Transfer-Encoding", "Vary", "Via", "cache-control", "content-encoding",
        "content-length", "content-type", "date", "etag", "expires", "last-modified", "server", "vary",
    ]
    private static let byLength: [[HTTPField.Name]] = (0...17).map { length in
        names.filter { $0.utf8.count == length }.compactMap { HTTPField.Name($0) }
    }

    /// The name that is spelled so; `nil` where it is none of these.
    static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        guard byLength.indices.contains(bytes.count) else { return nil }
        return byLength[bytes.count].first { $0.rawName.utf8.elementsEqual(bytes) }
    }
}
