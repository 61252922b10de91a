import CacheSemantics
import HTTPTypes

/// `plan-fresh`: one decision on a fresh hit.
enum EngineBench {
    static func run() -> [Figure] {
        let engine = CacheEngine()
        let request = HTTPRequest(.example, path: "/picture?size=2")
        let start = HTTPDate(secondsSinceEpoch: 1_767_225_600)
        let stored = StoredResponse(example: response, key: engine.key(for: request), at: start)
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
        return [Figure(.planFresh, samples)]
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
