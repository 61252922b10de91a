import Locks
import TestSupport

/// An origin that serves pages, and creates a new version of a page with each unsafe request.
final class VersionedOrigin: Sendable {
    let ledger = VersionLedger()
    /// Bytes of huge pages that were read from it so far.
    let sent: Lock<Int>
    private let server: ScriptedServer

    var url: String { server.url }

    init() {
        let (ledger, sent) = (ledger, Lock(0))
        self.sent = sent
        server = ScriptedServer { connection in
            while let head = connection.readHead() {
                guard Exchange(head: head, ledger: ledger, sent: sent).answer(on: connection) else { return }
            }
        }
    }

    /// Refuses connections from now on.
    func stop() { server.stop() }
}

/// A request of the origin and the answer to it.
private struct Exchange {
    let head: RawResponse
    let method: Substring
    let target: Substring
    let ledger: VersionLedger
    let sent: Lock<Int>

    init(head: String, ledger: VersionLedger, sent: Lock<Int>) {
        // Fields are parsed alike in requests and responses.
        self.head = RawResponse(head: head)
        let words = self.head.statusLine.split(separator: " ")
        (method, target) = (words.first ?? "", words.dropFirst().first ?? "")
        (self.ledger, self.sent) = (ledger, sent)
    }

    /// Answers the request; returns whether the connection can be used again.
    func answer(on connection: ServerConnection) -> Bool {
        if let length = head["Content-Length"].flatMap({ Int($0) }), length > 0 {
            guard connection.read(count: length) != nil else { return false }
        }
        guard var page = OriginPage(path: target) else {
            connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return true
        }
        if let field = page.varyingField { page.variant = variant(of: page, head[field] ?? "") }
        if method != "GET" { return change(page, on: connection) }
        let version = ledger.newest(of: page.path)
        if head["If-None-Match"]?.contains(page.entityTag(version)) == true {
            return connection.sendAll(text("304 Not Modified", page, version, length: nil))
        }
        return send(page, version, on: connection)
    }

    private func variant(of page: OriginPage, _ value: String) -> String {
        page.kind == .coded ? (value.contains("gzip") ? "gzip" : "") : value
    }

    private func change(_ page: OriginPage, on connection: ServerConnection) -> Bool {
        let version = ledger.advance(page.path)
        return connection.sendAll("HTTP/1.1 200 OK\r\nX-Version: \(version)\r\nContent-Length: 0\r\n\r\n")
    }

    private func send(_ page: OriginPage, _ version: Int, on connection: ServerConnection) -> Bool {
        if page.kind == .huge { return sendHuge(page, version, on: connection) }
        let content = page.content(version)
        let head = Array(text("200 OK", page, version, length: content.count).utf8)
        guard page.kind == .reset else {
            return connection.send(head + content) == head.count + content.count
        }
        connection.send(head + content.prefix(content.count / 3))
        connection.reset()
        return false
    }

    /// Sends content that is never completely in memory.
    private func sendHuge(_ page: OriginPage, _ version: Int, on connection: ServerConnection) -> Bool {
        let piece = page.piece(version)
        guard connection.sendAll(text("200 OK", page, version, length: page.size)) else { return false }
        for _ in 0..<(page.size / piece.count) {
            guard connection.send(piece) == piece.count else { return false }
            sent.withLock { $0 += piece.count }
        }
        return true
    }

    private func text(_ status: String, _ page: OriginPage, _ version: Int, length: Int?) -> String {
        var lines = ["HTTP/1.1 \(status)", "X-Version: \(version)", "ETag: \(page.entityTag(version))"]
        lines.append("Cache-Control: \(page.cacheControl)")
        if let field = page.varyingField { lines.append("Vary: \(field)") }
        if page.variant == "gzip" { lines.append("Content-Encoding: gzip") }
        if let length { lines.append("Content-Length: \(length)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}

extension ServerConnection {
    fileprivate func sendAll(_ text: String) -> Bool { send(Array(text.utf8)) == text.utf8.count }
}
