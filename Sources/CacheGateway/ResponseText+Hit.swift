import CacheClient
import CacheSemantics
import HTTPTypes

extension ResponseText {
    /// Writes the head of a stored response that is in memory.
    mutating func writeHit(_ hit: MemoryHit, endsConnection: Bool, isHTTP11: Bool) {
        let reuse = hit.reuse
        let response = reuse.stored.response
        begin(response.status)
        var hasDate = false
        for field in response.headerFields where field.name != .age && field.name != .contentLength {
            if field.name == .date { hasDate = true }
            add(field)
        }
        if !hasDate { add(.date, reuse.stored.date.text) }
        add(.age, number: Int(reuse.age))
        if response.status.code != 204 { add(.contentLength, number: hit.body.count) }
        var status = CacheStatus(key: hit.key.targetURI, isHit: true)
        status.ttl = reuse.lifetime - reuse.age
        addOwn(status, endsConnection: endsConnection, isHTTP11: isHTTP11)
        end()
    }

    /// Writes the fields that every response of the gateway has.
    mutating func addOwn(_ status: CacheStatus, endsConnection: Bool, isHTTP11: Bool) {
        add(.via, "1.1 " + Gateway.pseudonym)
        add(.cacheStatus, status.description)
        if endsConnection {
            add(.connection, "close")
        } else if !isHTTP11 {
            add(.connection, "keep-alive")
        }
    }
}
