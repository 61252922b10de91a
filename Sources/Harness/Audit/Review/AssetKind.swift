import HTTPTypes

/// The kinds of files whose names build tools give a hash of their content.
///
/// A data identifier can look like a hash, so that the name alone does not prove that content never changes.
enum AssetKind: Sendable, Hashable {
    /// Scripts, style sheets and fonts.
    case code
    /// Pictures, sound and films.
    case media

    /// Determines the kind of a response by its media type, otherwise by the extension of its name; `nil` for data and
    /// pages.
    init?(_ exchange: AuditedExchange) {
        let path = (exchange.request.path ?? "/").prefix { $0 != "?" }
        let name = path.split(separator: "/").last ?? ""
        let words = name.split(separator: ".")
        let ending = words.count > 1 ? words.last.map { $0.lowercased() } ?? "" : ""
        guard let kind = Self.kind(of: exchange.mediaType) ?? Self.endings[ending], !exchange.isPage else {
            return nil
        }
        self = kind
    }

    private static func kind(of type: String) -> AssetKind? {
        if ["image/", "audio/", "video/"].contains(where: type.hasPrefix) { return .media }
        let isFont = type.hasPrefix("font/") || type.hasPrefix("application/font")
        let isCode = type.hasSuffix("javascript") || ["text/css", "application/wasm"].contains(type)
        return isFont || isCode ? .code : nil
    }

    private static let endings: [String: AssetKind] = [
        "css": .code, "js": .code, "mjs": .code, "wasm": .code, "woff": .code, "woff2": .code, "ttf": .code,
        "avif": .media, "gif": .media, "ico": .media, "jpeg": .media, "jpg": .media, "mp4": .media,
        "png": .media, "svg": .media, "webm": .media, "webp": .media,
    ]
}
