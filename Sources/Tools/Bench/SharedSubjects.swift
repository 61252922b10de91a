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
        let key = CacheEngine().key(for: HTTPRequest(.example, path: "/entry/\(number)"))
        let now = HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds))
        var fields: HTTPFields = [
            .cacheControl: "max-age=86400", .contentType: "application/octet-stream",
            .contentLength: "\(size)", .eTag: "\"\(number)\"",
        ]
        fields.append(contentsOf: more)
        let head = HTTPResponse(status: .ok, headerFields: fields)
        let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
        return CacheEntry(stored: StoredResponse(example: head, key: key, at: now), body: .bytes(body))
    }

    /// Runs `body` with a folder that is removed afterwards.
    static func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = try Scratch()
        defer { folder.remove() }
        return try await body(folder.path)
    }
}

extension HTTPRequest {
    /// The origin of requests that are never sent.
    enum ExampleOrigin {
        case example
    }

    /// Creates a GET request to http://example.org.
    init(_ origin: ExampleOrigin, path: String, _ fields: HTTPFields = [:]) {
        self.init(method: .get, scheme: "http", authority: "example.org", path: path, headerFields: fields)
    }
}

extension StoredResponse {
    /// Creates the response to a GET, selected by `fields`, that was received in the moment in which it was requested.
    init(example response: HTTPResponse, key: CacheKey, at moment: HTTPDate, _ fields: HTTPFields = [:]) {
        self.init(
            key: key,
            variant: response.headerFields[.vary].map { Vary([$0]).variant(of: fields) } ?? VariantKey(),
            method: .get,
            selectingFields: fields,
            response: response,
            requestTime: moment,
            responseTime: moment
        )
    }
}
