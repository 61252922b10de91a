/// Bytes of a response in a form that can be compared.
enum Wire {
    /// Returns the head as received, without the option by which each request ends its connection, and the content
    /// without chunks; bytes that are not text as `\xNN`.
    static func text(_ bytes: [UInt8]) -> String {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return escaped(bytes) }
        let head = String(decoding: bytes[..<end.upperBound], as: UTF8.self)
            .replacing("Connection: close\r\n", with: "")
        let rest = Array(bytes[end.upperBound...])
        if head.hasPrefix("HTTP/1.1 1") { return head + text(rest) }
        return head + escaped(head.contains("chunked") ? joined(rest) : rest)
    }

    private static func joined(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        var content: [UInt8] = []
        while let end = rest.firstRange(of: [0x0D, 0x0A]) {
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) ?? 0
            guard size > 0 else { break }
            content += rest[end.upperBound...].prefix(size)
            rest = rest[end.upperBound...].dropFirst(size + 2)
        }
        return content
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        let text = bytes.reduce(into: [UInt8]()) { text, byte in
            if (0x20...0x7E).contains(byte) || byte == 0x0A {
                text.append(byte)
            } else {
                text += "\\x\(String(byte, radix: 16))".utf8
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
