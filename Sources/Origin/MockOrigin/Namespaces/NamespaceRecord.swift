import HTTPServing

/// All exchanges of a namespace in order of arrival, with connections numbered from 1.
struct NamespaceRecord {
    private(set) var exchanges: [RecordedExchange] = []
    private var connections: [UInt64: Int] = [:]

    /// Records a request and returns its number, from 1.
    mutating func add(_ routed: RoutedRequest, route: String?, at wallSeconds: Double) -> Int {
        let request = routed.request
        let known = connections[request.connection]
        let connection = request.connection == 0 ? 0 : known ?? connections.count + 1
        if connection > 0 { connections[request.connection] = connection }
        exchanges.append(
            RecordedExchange(
                number: exchanges.count + 1,
                method: request.method,
                path: routed.path,
                query: routed.query,
                fields: request.fields,
                body: request.body,
                connection: connection,
                isReused: known != nil,
                peerPort: request.peerPort,
                route: route,
                arrivedAt: wallSeconds,
                tls: request.tls
            )
        )
        return exchanges.count
    }

    /// Records the status and fields of the response, which may be decided later.
    mutating func answered(_ number: Int, status: Int, _ fields: [ServedField]) {
        exchanges[number - 1].status = status
        exchanges[number - 1].answerFields = fields
    }

    /// Records how an exchange ended.
    mutating func ended(_ number: Int, _ end: ExchangeEnd, bytesSent: Int) {
        exchanges[number - 1].isEnded = true
        exchanges[number - 1].isAborted = end == .aborted
        exchanges[number - 1].bytesSent = bytesSent
    }
}
