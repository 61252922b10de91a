import Dispatch
import FaultProxy
import Locks
import Recording

/// A site that is written while a proxy runs.
final class SiteRecording: Sendable {
    private let folder: String
    /// Scheme and authority of the server behind the proxy; `nil` for a forward proxy.
    private let origin: String?
    private let redaction: Redaction
    private let writer: FixtureWriter
    private let failures = Lock(0)
    /// Writes outside the proxy's threads, so that files delay no exchange.
    private let queue = DispatchQueue(label: "cachecheck.recording")

    /// Begins a recording; `origin` is scheme and authority of the server behind the proxy, `nil` for a forward proxy.
    init(_ folder: String, origin: String?, _ redaction: Redaction) throws(RecordingError) {
        (self.folder, self.origin, self.redaction) = (folder, origin, redaction)
        writer = try FixtureWriter(folder: folder, redaction: redaction, isOfAnyHost: origin == nil)
    }

    /// Writes an exchange, or reports why it is not recorded.
    func take(_ event: RecordedEvent) {
        queue.async { [self] in
            switch event {
            case .omitted(let what): printError("cachecheck proxy: not recorded: \(what)")
            case .exchange(let passed): write(CapturedExchange(passed))
            }
        }
    }

    private func write(_ exchange: CapturedExchange) {
        if let obstacle = redaction.obstacle(in: exchange) {
            let what = "\(exchange.method) \(exchange.origin)\(exchange.target)"
            return printError("cachecheck proxy: not recorded: \(what): \(obstacle)")
        }
        do throws(RecordingError) {
            try writer.add(exchange)
        } catch {
            failures.withLock { $0 += 1 }
            printError("cachecheck proxy: \(error)")
        }
    }

    /// Waits until everything is written; returns what was, in words.
    func end() throws -> String {
        queue.sync {}
        if failures.withLock({ $0 }) > 0 { throw ExitStatus.inside }
        let exchanges = counted(writer.count, "exchange")
        let resources = "\(counted(writer.resourceCount, "resource")) in \(folder)"
        guard let origin else {
            return """
                \(exchanges) with \(resources). Replay them in place of all servers:
                  cachecheck serve \(folder) --port 8090
                  cachecheck proxy --forward --upstream http://127.0.0.1:8090
                """
        }
        return """
            \(exchanges) with \(resources). Replay them in place of \(origin):
              cachecheck serve \(folder)
            """
    }
}
