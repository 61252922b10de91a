import CacheClient
import HTTPTypes

/// Answers every request at once on the caller's thread, so that only the client's own work is measured.
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
        return EndedExchange()
    }
}
