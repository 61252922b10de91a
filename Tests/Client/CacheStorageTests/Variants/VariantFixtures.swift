import CacheSemantics
import CacheStorage
import HTTPTypes

extension CacheStore {
    /// Returns the values of the variants of `v`, in order.
    func values() -> [String] {
        entries(for: key("v")).entries.compactMap { $0.entry.stored.selectingFields[.value] }
            .sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
    }

    /// Returns the values of the variants that a request with this value gets.
    func selected(_ value: String) -> [String] {
        entries(for: key("v"), selectableBy: CacheEngine().selector(for: request(value))).entries
            .compactMap { $0.entry.stored.selectingFields[.value] }.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
    }
}

private func request(_ value: String) -> HTTPRequest {
    HTTPRequest(
        method: .get,
        scheme: "http",
        authority: "example.test",
        path: "/v",
        headerFields: [.value: value]
    )
}

/// Returns a variant of `v` for one value of X-V.
func variant(_ value: String, size: Int = 100, fields: HTTPFields = [:]) -> CacheEntry {
    let vary = Vary(["X-V"])
    var fields = fields
    (fields[.cacheControl], fields[.eTag], fields[.vary]) = ("max-age=60", "\"v1\"", "X-V")
    let stored = StoredResponse(
        key: key("v"),
        variant: vary.variant(of: [.value: value]),
        method: .get,
        selectingFields: [.value: value],
        response: HTTPResponse(status: .ok, headerFields: fields),
        requestTime: HTTPDate(secondsSinceEpoch: 1_000_000),
        responseTime: HTTPDate(secondsSinceEpoch: 1_000_000)
    )
    return CacheEntry(stored: stored, body: .bytes([UInt8](repeating: 7, count: size)))
}

/// Returns a variant without its own content.
func alias(_ value: String, of other: String) -> CacheEntry {
    let (own, source) = (variant(value).stored, variant(other).stored)
    let stored = StoredResponse(
        key: own.key,
        variant: own.variant,
        method: .get,
        selectingFields: own.selectingFields,
        response: own.response,
        requestTime: own.requestTime,
        responseTime: own.responseTime,
        contentOf: source.variant
    )
    return CacheEntry(stored: stored, body: .bytes([]))
}

extension HTTPField.Name {
    static let value = known("X-V")
}

/// Returns what is stored of `variant(_:)` once a 304 has replaced its fields by a Vary.
func variant(_ value: String, freshenedWith vary: String) -> StoredResponse {
    let old = variant(value).stored
    return StoredResponse(
        key: old.key,
        variant: old.variant,
        method: .get,
        selectingFields: old.selectingFields,
        response: HTTPResponse(status: .ok, headerFields: [.vary: vary]),
        requestTime: old.requestTime,
        responseTime: old.responseTime
    )
}
