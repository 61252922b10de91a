import CacheClient
import HTTPTypes
import Scenarios
import WireSyntax

/// A reader of the first final response on a connection.
enum RawResponse {
    private static let headEnd = Array("\r\n\r\n".utf8)

    static func read(from socket: RawSocket) -> CallerObservation {
        var bytes: [UInt8] = []
        while true {
            if let end = bytes.firstRange(of: headEnd) {
                var seen = observation(ofHead: bytes[..<end.lowerBound])
                bytes.removeFirst(end.upperBound)
                if let status = seen.status, status < 200 { continue }
                seen.body = body(bytes, seen, socket)
                return seen
            }
            guard let more = socket.receive(), !more.isEmpty else { return lost }
            bytes += more
        }
    }

    private static var lost: CallerObservation {
        var seen = CallerObservation()
        seen.error = (TransportError.Kind.connectionLost.rawValue, "No complete response head arrived.")
        return seen
    }

    private static func observation(ofHead head: ArraySlice<UInt8>) -> CallerObservation {
        var seen = CallerObservation()
        let lines = MessageHead.lines(head)
        seen.status = lines.first.flatMap { MessageHead.status(String(decoding: $0, as: UTF8.self))?.code }
        seen.fields = lines.dropFirst().map { line in
            let field = MessageHead.field(line) ?? (line, [])
            return (String(decoding: field.name, as: UTF8.self), String(decoding: field.value, as: UTF8.self))
        }
        return seen
    }

    /// Returns the content up to its declared length, or up to the end of the connection.
    private static func body(_ start: [UInt8], _ seen: CallerObservation, _ socket: RawSocket) -> [UInt8] {
        var body = start
        let name = HTTPField.Name.contentLength.canonicalName
        let length = seen.fields.first { $0.name.lowercased() == name }.flatMap { Int($0.value) }
        // RFC 9112 §6.3: these two statuses have no content.
        let hasContent = seen.status != 204 && seen.status != 304
        while length.map({ body.count < $0 }) ?? hasContent, let more = socket.receive(),
            !more.isEmpty
        {
            body += more
        }
        return body
    }
}
