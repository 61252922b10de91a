import CacheClient
import CacheSemantics
import Clocks
import HTTPTypes

/// A response that the gateway generates, with a sentence for the caller.
struct OwnResponse {
    /// What happened to the request upstream, for the field `Cache-Status`; default `nil`, without which the field is left out:
    /// RFC 9211 §2 wants none in a response that the cache generates without an exchange with the origin.
    var cacheStatus: CacheStatus?
    /// Whether the connection is closed after it; default true.
    var endsConnection = true
    /// An answer to HEAD, which has no content; default false.
    var isHead = false
    private let status: Int
    private let reason: String
    private let date: HTTPDate

    /// The statuses that a gateway generates, with their phrases.
    private static let known: [HTTPResponse.Status] = [
        .ok, .badRequest, .forbidden, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed,
        .misdirectedRequest, .requestHeaderFieldsTooLarge, .internalServerError, .notImplemented, .badGateway,
        .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
        HTTPResponse.Status(code: 508, reasonPhrase: "Loop Detected"),
    ]

    init(status: Int, reason: String, clock: any TimeSource) {
        self.status = status
        self.reason = reason
        date = HTTPDate(secondsSinceEpoch: clock.timeSinceEpoch.wholeSeconds)
    }

    private var content: [UInt8] { Array((reason + "\n").utf8) }

    /// The number of bytes of content that are sent.
    var contentCount: Int { isHead ? 0 : content.count }

    /// The whole response.
    var bytes: [UInt8] {
        let body = content
        var text = ResponseText(Self.known.first { $0.code == status } ?? HTTPResponse.Status(code: status))
        text.add(.date, date.text)
        text.add(.contentType, "text/plain; charset=utf-8")
        text.add(.contentLength, number: body.count)
        text.add(.cacheControl, "no-store")
        if let cacheStatus { text.add(.cacheStatus, cacheStatus.description) }
        if status == 503 { text.add(.retryAfter, "1") }
        if endsConnection { text.add(.connection, "close") }
        text.end()
        return isHead ? text.bytes : text.bytes + body
    }
}
