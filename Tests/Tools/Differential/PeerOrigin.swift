import CacheDifferential
import CacheOracle
import CLibrary
import Locks
import TestSupport

/// The origin of all sequences of a run, each below its own path.
final class PeerOrigin: Sendable {
    private let runs: [String: PeerRun]
    private let server: ScriptedServer
    /// The port it listens on.
    var port: Int { server.port }

    init(_ runs: [String: PeerRun]) {
        self.runs = runs
        server = ScriptedServer { connection in
            while let head = connection.readHead() {
                guard let request = Self.read(head, connection) else { return }
                guard let run = runs[request.place] else {
                    connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    continue
                }
                guard let response = run.respond(to: request.request) else { return }
                connection.send(Self.text(response, isHead: request.request.method == "HEAD"))
            }
        }
    }

    /// Fields that a proxy adds to what it forwards.
    private static let added: Set = [
        "connection", "host", "via", "x-forwarded-for", "surrogate-capability", "forwarded", "client-ip",
        "user-agent", "accept",
        "accept-encoding", "content-length", "content-type", "transfer-encoding", "x-forwarded-proto", "te",
    ]

    private static func read(_ head: String, _ connection: ServerConnection)
        -> (place: String, request: OracleRequest)?
    {
        let parsed = RawResponse(head: head)
        let words = parsed.statusLine.split(separator: " ")
        guard words.count == 3 else { return nil }
        let path = words[1].drop { $0 != "/" }
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: true)
        let hasContent = (parsed["Content-Length"].flatMap(Int.init) ?? 0) > 0
        if let length = parsed["Content-Length"].flatMap(Int.init) { _ = connection.read(count: length) }
        if parsed["Transfer-Encoding"] != nil { _ = connection.readChunks() }
        guard parts.count == 2 else {
            return ("", OracleRequest(method: "GET", target: "", fields: FieldSection()))
        }
        let fields = parsed.fields.map { ($0.name, $0.value) }.filter { !added.contains($0.0.lowercased()) }
        let request = OracleRequest(
            method: String(words[0]),
            target: "http://origin.test/" + parts[1],
            fields: FieldSection(fields),
            hasContent: hasContent || parsed["Transfer-Encoding"] != nil
        )
        return (String(parts[0]), request)
    }

    private static func text(_ response: OracleResponse, isHead: Bool) -> String {
        var lines = ["HTTP/1.1 \(response.status) Status"]
        lines += response.fields.lines.map { "\($0.name): \($0.value)" }
        let hasLength = response.fields["content-length"] != nil
        if !hasLength, response.status != 304, response.status != 204, !isHead {
            lines.append("content-length: \(response.content.count)")
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
            + String(decoding: response.content, as: UTF8.self)
    }
}
