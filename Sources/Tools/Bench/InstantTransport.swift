import CacheClient
import HTTPTypes

/// Answers every request at once, in the caller's own time: what is left of an exchange is the client's own work.
struct InstantTransport: Transport {
    private let rest: TransportRest

    init() {
        var fields = HTTPFields()
        fields[.date] = "Thu, 01 Jan 2026 00:00:00 GMT"
        fields[.contentType] = "application/json"
        fields[.contentLength] = "39"
        var end = TransportEnd()
        end.isLengthChecked = true
        rest = TransportRest(
            head: HTTPResponse(status: .ok, headerFields: fields),
            piece: Array("{\"data\":\"GET Method\",\"status\":\"Success\"}".utf8),
            end: .success(end)
        )
    }

    func start(_ request: TransportRequest, receiver: any TransportReceiver) -> any TransportExchange {
        receiver.receive(rest: rest)
        return Over()
    }

    /// An exchange that is over.
    private final class Over: TransportExchange {
        func resume() {}
        func cancel() {}
    }
}
