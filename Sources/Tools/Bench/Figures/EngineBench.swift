import CacheSemantics
import HTTPTypes

/// `plan-fresh`: one decision on a fresh hit.
enum EngineBench {
    static func run() -> [Figure] {
        let engine = CacheEngine()
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "example.org",
            path: "/picture?size=2"
        )
        let stored = StoredResponse(
            key: engine.key(for: request),
            variant: VariantKey(),
            method: .get,
            selectingFields: HTTPFields(),
            response: response,
            requestTime: HTTPDate(secondsSinceEpoch: 1_767_225_600),
            responseTime: HTTPDate(secondsSinceEpoch: 1_767_225_600)
        )
        let now = HTTPDate(secondsSinceEpoch: 1_767_225_660)
        let batch = 200
        var served = 0
        let samples = Samples(count: 5_000, batch: batch) {
            for _ in 0..<batch {
                let planned = engine.plan(
                    request,
                    policy: .useProtocolCachePolicy,
                    stored: [stored],
                    now: now
                )
                if case .serve = planned.plan { served += 1 }
            }
        }
        precondition(served == 5_000 * batch, "a fresh response was not served")
        return [
            Figure(
                name: "plan-fresh",
                value: samples.median / 1_000,
                unit: "µs",
                p99: samples.p99 / 1_000,
                goal: .atMost(0.4)
            )
        ]
    }

    private static var response: HTTPResponse {
        var fields = HTTPFields()
        fields[.date] = "Thu, 01 Jan 2026 00:00:00 GMT"
        fields[.cacheControl] = "max-age=3600, public"
        fields[.contentType] = "image/jpeg"
        fields[.contentLength] = "1024"
        fields[.eTag] = "\"5c0ffee\""
        fields[.lastModified] = "Wed, 31 Dec 2025 00:00:00 GMT"
        fields[.server] = "bench"
        fields[.acceptRanges] = "bytes"
        return HTTPResponse(status: .ok, headerFields: fields)
    }
}
