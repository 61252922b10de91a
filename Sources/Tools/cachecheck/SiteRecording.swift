import Dispatch
import FaultProxy
import Locks
import Recording
import ReportFormats

/// A recording of a running proxy: a site, the exchanges for an archive, or both.
final class SiteRecording: Sendable {
    private struct State {
        var exchanges: [CapturedExchange] = []
        var failures = 0
    }
    private let command: String
    private let folder: String?
    /// Scheme and authority of the server behind the proxy; `nil` for a forward proxy.
    private let origin: String?
    private let redaction: Redaction
    private let keepsExchanges: Bool
    private let writer: FixtureWriter?
    private let state = Lock(State())
    /// Writes outside the proxy's threads, so that files delay no exchange.
    private let queue = DispatchQueue(label: "cachecheck.recording")

    /// Begins a recording; `origin` is scheme and authority of the server behind the proxy, `nil` for a forward proxy.
    ///
    /// Without a folder no site is written. `command` is in messages; `keepsExchanges` is for `exchanges`.
    init(
        _ folder: String?,
        origin: String?,
        _ redaction: Redaction,
        command: String = "proxy",
        keepsExchanges: Bool = false
    ) throws(RecordingError) {
        (self.folder, self.origin, self.redaction) = (folder, origin, redaction)
        (self.command, self.keepsExchanges) = (command, keepsExchanges)
        writer = try folder.map { path throws(RecordingError) in
            try FixtureWriter(folder: path, redaction: redaction, isOfAnyHost: origin == nil)
        }
    }

    /// Writes an exchange soon, or reports why it is not recorded.
    func take(_ event: RecordedEvent) {
        queue.async { [self] in write(event) }
    }

    /// Writes an exchange, or reports why it is not recorded.
    func write(_ event: RecordedEvent) {
        switch event {
        case .omitted(let what): printError("cachecheck \(command): not recorded: \(what)")
        case .exchange(let exchange): write(exchange)
        }
    }

    private func write(_ exchange: CapturedExchange) {
        if let obstacle = redaction.obstacle(in: exchange) {
            return write(.omitted("\(exchange.requestText): \(obstacle)"))
        }
        if keepsExchanges {
            let kept = redaction.applied(to: exchange)
            state.withLock { $0.exchanges.append(kept) }
        }
        do throws(RecordingError) {
            try writer?.add(exchange)
        } catch {
            state.withLock { $0.failures += 1 }
            printError("cachecheck \(command): \(error)")
        }
    }

    /// The exchanges so far, without secrets.
    var exchanges: [CapturedExchange] { state.withLock { $0.exchanges } }

    /// The files that were written, in words; `nil` without a folder.
    var summary: String? {
        guard let folder, let writer else { return nil }
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

    /// Ends the program if something could not be written.
    func requireWritten() throws {
        if state.withLock({ $0.failures }) > 0 { throw ExitStatus.internalError }
    }

    /// Waits until everything is written; returns the names of the files in words.
    func end() throws -> String {
        queue.sync {}
        try requireWritten()
        return summary ?? ""
    }
}
