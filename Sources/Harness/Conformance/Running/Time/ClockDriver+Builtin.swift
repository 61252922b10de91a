import CacheClient
import Clocks
import MockOrigin

extension ClockDriver {
    /// Creates a driver of the clock of the built-in client and of its origin; waiting runs the client's loop.
    ///
    /// The signal is raised when the last of the two becomes quiet; until then nothing has to be checked again.
    init(of subject: BuiltinSubject, at namespace: OriginNamespace, timeout: Duration) {
        let signal = Signal()
        signal.onRaise { [weak subject] in subject?.loop.wake() }
        namespace.onActivity { [weak subject, weak namespace] in
            guard let subject, let namespace else { return }
            // The bytes at the end of a response wake the client, so its sockets must not be inspected at that time.
            let parked = namespace.parked
            if !parked.isEmpty, subject.activity(parked: parked).isQuiet { signal.raise() }
        }
        self.init(clock: subject.clock, signal: signal) {
            // The origin first: bytes that it wrote before an exchange was parked then count as unread at the client.
            let parked = namespace.parked
            return subject.activity(parked: parked)
        }
        self.timeout = timeout
        loop = { subject.loop }
    }

    func awaitRest(of namespace: OriginNamespace) {
        namespace.onActivity { [signal] in signal.raise() }
        do throws(HarnessProblem) {
            try rest(for: "the end of every exchange") { namespace.isAtRest }
        } catch {
            // The log shows the progress of each exchange.
        }
    }
}
