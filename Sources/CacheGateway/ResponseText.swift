import CacheSemantics
import HTTPTypes

/// The bytes of a response's head.
struct ResponseText {
    private(set) var bytes: [UInt8] = []

    /// Begins a head; the reason phrase is the origin's.
    init(_ status: HTTPResponse.Status) { begin(status) }

    /// Goes on in a buffer that is used again.
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

    /// Ends the head.
    mutating func end() { endLine() }

    private mutating func endLine() {
        bytes.append(0x0D)
        bytes.append(0x0A)
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(number: Int) {
        if number < 10, number >= 0 { return bytes.append(UInt8(0x30 + number)) }
        bytes.append(contentsOf: String(number).utf8)
    }
}
