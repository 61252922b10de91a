import CacheClient
import HTTPTypes

/// The bytes of a response's head.
struct ResponseText {
    var bytes: [UInt8] = []

    /// Creates an empty text.
    init() {}

    /// Creates the start of a head; the reason phrase is the origin's.
    init(_ status: HTTPResponse.Status) { begin(status) }

    /// Creates a text in a buffer that is reused.
    init(reusing buffer: inout [UInt8]) { swap(&bytes, &buffer) }

    mutating func begin(_ status: HTTPResponse.Status) {
        append("HTTP/1.1 ")
        append(number: status.code)
        bytes.append(0x20)
        append(status.reasonPhrase)
        endLine()
    }

    mutating func add(_ fields: HTTPFields) {
        for field in fields { add(field) }
    }

    mutating func add(_ field: HTTPField) {
        append(field.name.rawName)
        bytes.append(0x3A)
        bytes.append(0x20)
        field.withUnsafeBytesOfValue { bytes.append(contentsOf: $0) }
        endLine()
    }

    mutating func add(_ name: HTTPField.Name, _ value: String) {
        append(name.rawName)
        append(": ")
        append(value)
        endLine()
    }

    mutating func add(_ name: HTTPField.Name, number: Int) {
        append(name.rawName)
        append(": ")
        append(number: number)
        endLine()
    }

    /// Ends the head with an empty line.
    mutating func end() { endLine() }

    mutating func endLine() {
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(number: Int) {
        guard (0..<100).contains(number) else { return bytes.append(contentsOf: String(number).utf8) }
        if number > 9 { bytes.append(UInt8(0x30 + number / 10)) }
        bytes.append(UInt8(0x30 + number % 10))
    }

    /// Writes the fields that every response of the gateway has.
    mutating func addOwn(_ response: StreamingResponse, endsConnection: Bool, isHTTP11: Bool) {
        addVia(response.metrics.version ?? .http11)
        add(.cacheStatus, response.cacheStatus.description)
        addPersistence(endsConnection: endsConnection, isHTTP11: isHTTP11)
    }

    /// Adds `Via`; its version is the one in which the response was received (RFC 9110 §7.6.3).
    mutating func addVia(_ version: HTTPVersion = .http11) {
        add(.via, version.rawValue + " " + Gateway.pseudonym)
    }

    mutating func addPersistence(endsConnection: Bool, isHTTP11: Bool) {
        if endsConnection {
            add(.connection, "close")
        } else if !isHTTP11 {
            add(.connection, "keep-alive")
        }
    }
}
