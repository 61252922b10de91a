import CacheClient
import HTTPTypes
import Scenarios

/// Reads the first final response on a connection.
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
        seen.error = (TransportError.Kind.connectionLost.rawValue, "No whole head came.")
        return seen
    }

    private static func observation(ofHead head: ArraySlice<UInt8>) -> CallerObservation {
        var seen = CallerObservation()
        let lines = head.split(separator: 0x0A).map { line in
            String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self)
        }
        seen.status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        seen.fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        return seen
    }

    /// All content that the length announces, or that comes until the end.
    private static func body(_ start: [UInt8], _ seen: CallerObservation, _ socket: RawSocket) -> [UInt8] {
        var body = start
        let name = HTTPField.Name.contentLength.canonicalName
        let length = seen.fields.first { $0.name.lowercased() == name }.flatMap { Int($0.value) }
        // RFC 9112 §6.3: neither of these has content.
        let hasContent = seen.status != 204 && seen.status != 304
        while length.map({ body.count < $0 }) ?? hasContent, let more = socket.receive(),
            !more.isEmpty
        {
            body += more
        }
        return body
    }
}
