import Dispatch
import FaultProxy
import Locks
import Recording

/// A site that is written while a proxy runs.
final class SiteRecording: Sendable {
    private let folder: String
    private let origin: String
    private let redaction: Redaction
    private let writer: FixtureWriter
    private let failures = Lock(0)
    /// Writes outside the proxy's threads, so that files delay no exchange.
    private let queue = DispatchQueue(label: "cachecheck.recording")

    /// Begins a recording; `origin` is scheme and authority of the server behind the proxy.
    init(_ folder: String, origin: String, keepsSecrets: Bool) throws(RecordingError) {
        (self.folder, self.origin) = (folder, origin)
        redaction = Redaction(isOn: !keepsSecrets)
        writer = try FixtureWriter(folder: folder, redaction: redaction)
    }

    /// Writes an exchange, or reports why it is not recorded.
    func take(_ event: RecordedEvent) {
        queue.async { [self] in
            switch event {
            case .omitted(let what): printError("cachecheck proxy: not recorded: \(what)")
            case .exchange(let passed): write(CapturedExchange(passed, origin: origin))
            }
        }
    }

    private func write(_ exchange: CapturedExchange) {
        if let obstacle = redaction.obstacle(in: exchange) {
            printError("cachecheck proxy: not recorded: \(exchange.method) \(exchange.target): \(obstacle)")
            return
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
        return """
            \(exchanges) with \(counted(writer.resourceCount, "resource")) in \(folder). Replay them in place of \(origin):
              cachecheck serve \(folder)
            """
    }
}
