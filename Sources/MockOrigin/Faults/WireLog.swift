import HTTPServing

/// What went over the connections of a namespace, by exchange.
struct WireLog: Sendable {
    private struct Entry {
        var name: String
        var request: [UInt8]
        var reply: RawReply
        var sent: Int?
        var end = ExchangeEnd.stopped
    }
    private var entries: [Int: Entry] = [:]

    /// Notes an exchange that begins.
    mutating func add(_ number: Int, name: String, _ request: ServedRequest, _ reply: RawReply) {
        var bytes = Array("\(request.method) \(request.target)\r\n".utf8)
        for field in request.fields { bytes += "\(field.name): \(field.value)\r\n".utf8 }
        bytes += Array("\r\n".utf8) + request.body
        entries[number] = Entry(name: name, request: bytes, reply: reply)
    }

    /// Notes how many bytes an exchange has written.
    mutating func end(_ number: Int, sent: Int, _ end: ExchangeEnd) {
        entries[number]?.sent = sent
        entries[number]?.end = end
    }

    /// The exchanges by their names, each with its bytes both ways; bytes that are no text as `\xNN`.
    var text: String {
        let ordered = entries.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }
        return ordered.map { Self.text($0.value) }.joined()
    }

    private static func text(_ entry: Entry) -> String {
        let written = entry.reply.steps.flatMap { step -> [UInt8] in
            if case .write(let bytes) = step { Array(bytes) } else { [] }
        }
        let sent = written.prefix(entry.sent ?? 0)
        return "--- \(entry.name): \(sent.count) bytes, \(entry.end), \(entry.reply.ending)\n"
            + lines(entry.request, ">") + lines(Array(sent), "<")
    }

    private static func lines(_ bytes: [UInt8], _ mark: String) -> String {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            "\(mark) " + line.map(character).joined() + "\n"
        }.joined()
    }

    private static func character(_ byte: UInt8) -> String {
        if (0x20...0x7E).contains(byte) { return String(UnicodeScalar(byte)) }
        return byte == 0x0D ? "" : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
