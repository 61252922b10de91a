import CacheClient
import CacheSemantics
import CacheStorage
import Clocks
import HTTPTypes

extension HTTPField.Name {
    static let tag = HTTPField.Name("Surrogate-Key") ?? .vary
}

/// Clients, stores and entries that the measurements share.
enum SharedSubjects {
    static let clock = SystemClock()

    /// Returns a client whose transport is never used.
    static func client(over store: CacheStore?, loop: ClientLoop) -> CachingClient {
        CachingClient(store: store, transport: CurlTransport(loop: loop), clock: clock)
    }

    static func request(_ number: Int, base: String = "http://example.org") -> ClientRequest {
        ClientRequest(url: "\(base)/entry/\(number)")
    }

    /// Returns a fresh entry of `size` bytes for `request(number)`, with additional fields.
    static func entry(_ number: Int, size: Int, more: HTTPFields = [:]) -> CacheEntry {
        let target = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "example.org",
            path: "/entry/\(number)"
        )
        let now = HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds))
        var fields = HTTPFields()
        fields[.cacheControl] = "max-age=86400"
        fields[.contentType] = "application/octet-stream"
        fields[.contentLength] = "\(size)"
        fields[.eTag] = "\"\(number)\""
        fields.append(contentsOf: more)
        return CacheEntry(
            stored: StoredResponse(
                key: CacheEngine().key(for: target),
                variant: VariantKey(),
                method: .get,
                selectingFields: HTTPFields(),
                response: HTTPResponse(status: .ok, headerFields: fields),
                requestTime: now,
                responseTime: now
            ),
            body: .bytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))
        )
    }

    /// Runs `body` with a folder that is removed afterwards.
    static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = try Scratch()
        defer { folder.remove() }
        return try await body(folder.path)
    }
}
