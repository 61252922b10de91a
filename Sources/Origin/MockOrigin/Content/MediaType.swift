/// Media types of files, by the extensions of their names.
enum MediaType {
    /// Returns the type of a file; `application/octet-stream` for an unknown extension.
    static func of(_ name: String) -> String {
        let last = name.split(separator: "/").last ?? ""
        guard let dot = last.lastIndex(of: ".") else { return unknown }
        return types[last[last.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let unknown = "application/octet-stream"
    private static let types = [
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "json": "application/json", "map": "application/json", "webmanifest": "application/manifest+json",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "ico": "image/vnd.microsoft.icon",
        "bmp": "image/bmp", "tif": "image/tiff", "tiff": "image/tiff",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "wav": "audio/wav",
        "mp4": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
        "m3u8": "application/vnd.apple.mpegurl",
        "ts": "video/mp2t", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "wasm": "application/wasm", "bin": "application/octet-stream",
    ]
}
