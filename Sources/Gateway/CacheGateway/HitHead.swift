import CacheClient
import CacheSemantics
import HTTPTypes

/// The head of a stored response, prepared except for its age and remaining freshness lifetime.
struct HitHead {
    let endsConnection: Bool
    private let beginning: [UInt8]
    private let end: [UInt8]

    init(_ hit: StoredHit, endsConnection: Bool, isHTTP11: Bool) {
        self.endsConnection = endsConnection
        let response = hit.reuse.stored.response
        var text = ResponseText(response.status)
        for field in response.headerFields where !Self.omitted.contains(field.name) { text.add(field) }
        // RFC 9110 §6.6.1: a response that was received without a date gets the date of its receipt.
        if !response.headerFields.contains(.date) { text.add(.date, hit.reuse.stored.date.text) }
        if response.status.code != 204 { text.add(.contentLength, number: hit.count) }
        text.addVia(hit.version)
        beginning = text.bytes
        end = Self.end(hit, endsConnection: endsConnection, isHTTP11: isHTTP11)
    }

    /// `Age` and the framing are generated, and no trailers are sent that `Trailer` could announce.
    private static let omitted: Set<HTTPField.Name> = [.age, .contentLength, .trailer]

    /// Returns the bytes after the parameter `ttl` of `Cache-Status`, which is the last value that changes.
    private static func end(_ hit: StoredHit, endsConnection: Bool, isHTTP11: Bool) -> [UInt8] {
        var text = ResponseText()
        text.append(CacheStatus.keyParameter(hit.key.targetURI))
        text.endLine()
        text.addPersistence(endsConnection: endsConnection, isHTTP11: isHTTP11)
        text.end()
        return text.bytes
    }

    func write(age: Int64, lifetime: Int64, to bytes: inout [UInt8]) {
        bytes += beginning
        var text = ResponseText(reusing: &bytes)
        text.append(Self.age)
        text.append(number: Int(age))
        text.append(Self.cacheStatus)
        text.append(number: Int(lifetime - age))
        swap(&bytes, &text.bytes)
        bytes += end
    }

    private static let age = "Age: "
    private static let cacheStatus = "\r\nCache-Status: \(CacheStatus.cacheName); hit; ttl="
}
