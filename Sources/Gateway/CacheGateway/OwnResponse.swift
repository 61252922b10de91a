import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes

/// A response that the gateway generates, with a sentence for the caller.
struct OwnResponse {
    let bytes: [UInt8]

    /// The statuses that a gateway generates, with their phrases.
    private static let known: [HTTPResponse.Status] = [
        .ok, .badRequest, .forbidden, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed,
        .misdirectedRequest, .requestHeaderFieldsTooLarge, .internalServerError, .notImplemented, .badGateway,
        .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
        HTTPResponse.Status(code: 508, reasonPhrase: "Loop Detected"),
    ]

    /// Creates a response; by default the connection is closed after it.
    init(
        status: Int,
        reason: String,
        clock: any TimeSource,
        cacheStatus: String? = nil,
        endsConnection: Bool = true,
        isHead: Bool = false
    ) {
        let body = Array((reason + "\n").utf8)
        var text = ResponseText(Self.known.first { $0.code == status } ?? HTTPResponse.Status(code: status))
        text.add(.date, HTTPDate(secondsSinceEpoch: Int64(clock.wallSeconds)).text)
        text.add(.contentType, "text/plain; charset=utf-8")
        text.add(.contentLength, number: body.count)
        text.add(.cacheControl, "no-store")
        text.add(.cacheStatus, cacheStatus ?? CacheStatus.cacheName)
        if status == 503 { text.add(.retryAfter, "1") }
        if endsConnection { text.add(.connection, "close") }
        text.end()
        bytes = isHead ? text.bytes : text.bytes + body
    }
}
