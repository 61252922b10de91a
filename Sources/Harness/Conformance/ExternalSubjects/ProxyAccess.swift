import CacheClient
import Clocks
import Locks
import PublicSuite

/// A proxy at an address.
final class ProxyAccess: Sendable {
    /// The sender of the requests.
    let caller: WireCaller
    private let address: SocketTarget
    /// The proxy's URL if requests name the origin's URL, as to a forward proxy (RFC 9112 §3.2.2); else `nil`.
    private let forwardURL: String?
    /// The proxy's process if we started it.
    private let process: ChildProcess?
    private let lost = Lock<String?>(nil)

    init(_ url: String, isForward: Bool, caller: WireCaller, process: ChildProcess? = nil) {
        self.caller = caller
        self.process = process
        address = SocketTarget(url: url)
        forwardURL = isForward ? url : nil
    }

    /// The reason why the proxy can no longer be used; `nil` while it can.
    var breakdown: String? { lost.withLock { $0 } }

    /// Sends a request, whose URL is that of the proxy or of the origin behind it.
    func send(_ request: WireRequest, within timeout: Duration) async -> SuiteReply {
        let reply = await caller.send(request, within: timeout, through: forwardURL)
        if case .failed = reply { look() }
        return reply
    }

    /// Records that the proxy is gone if nothing listens at its address: a bad response is a verdict on the proxy, its
    /// absence is not.
    private func look() {
        let ending = process?.ending
        if ending == nil, address.isListening { return }
        let text =
            "the subject at \(address.text) accepts no connections" + (ending.map { ": it \($0)" } ?? "")
        lost.withLock { $0 = $0 ?? text }
    }
}
