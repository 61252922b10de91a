import CacheClient
import Clocks
import MockOrigin

extension ClockDriver {
    /// Moves the clock of the built-in client and of its origin; waiting runs the client's loop.
    ///
    /// Whatever makes the last of the two quiet raises the signal; before that there is nothing to look at anew.
    init(of subject: BuiltinSubject, at namespace: OriginNamespace, clock: VirtualClock, patience: Duration) {
        let signal = Signal()
        signal.onRaise { [weak subject] in subject?.loop.wake() }
        namespace.onActivity { [weak subject, weak namespace] in
            guard let subject, let namespace else { return }
            // The end of an answer wakes the client by its bytes, so its sockets must not be inspected at that moment.
            let parked = namespace.parked
            if !parked.isEmpty, subject.activity(parked: parked).isQuiet { signal.raise() }
        }
        self.init(clock: clock, signal: signal) {
            // The origin first: what it has written before an exchange was parked is then seen as unread at the client.
            let parked = namespace.parked
            return subject.activity(parked: parked)
        }
        self.patience = patience
        loop = { subject.loop }
    }
}
