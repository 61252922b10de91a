public import Clocks
import Locks

/// The manner of reading the content of a request: stops and rate.
public struct RequestReading: Sendable {
    /// The action at a stop.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Action: Sendable {
        /// Reading is paused for a duration.
        case wait(Duration)
        /// Reading is paused until the hold is released.
        case hold(Hold)
        /// These bytes are sent before the request is complete.
        case write([UInt8])
        /// Reading ends, and this reply is sent.
        case answer(RawReply)
    }
    /// A stop at a position of the content.
    public struct Stop: Sendable {
        /// The offset in bytes.
        public var offset: Int
        /// The action at the stop.
        public var action: Action

        /// Creates a stop.
        public init(after offset: Int, _ action: Action) {
            self.offset = offset
            self.action = action
        }
    }
    /// The stops in ascending order of their offsets.
    public var stops: [Stop]
    /// The rate in bytes per second from `slowFrom` on; `nil` means no limit.
    public var bytesPerSecond: Int?
    /// The offset from which `bytesPerSecond` applies.
    public var slowFrom = 0
    /// The clock of pauses and rate.
    public var clock: any TimeSource
    /// Observes pauses.
    public var observer: (any ReadingObserver)?

    /// Creates a description of how to read.
    public init(
        stops: [Stop] = [],
        bytesPerSecond: Int? = nil,
        clock: any TimeSource,
        observer: (any ReadingObserver)? = nil
    ) {
        self.stops = stops
        self.bytesPerSecond = bytesPerSecond
        self.clock = clock
        self.observer = observer
    }
}

/// An observer of the reading of requests; called on any thread, never with a lock held.
public protocol ReadingObserver: Sendable {
    /// Called when reading is paused; `ReadingPause.isFinished` may already be true.
    func readingPaused(_ pause: ReadingPause)
    /// Called when reading continues.
    func readingResumed(_ pause: ReadingPause)
}

/// A pause in reading a request's content, which needs no thread.
public final class ReadingPause: Sendable {
    private struct State {
        var isFinished = false
        var sleeper: Sleeper?
    }
    /// Number of the pause, unique for the server.
    public let number: UInt64
    /// Port of the client.
    package let peerPort: UInt16
    private let onResume: @Sendable (ReadingPause) -> Void
    private let state = Lock(State())

    init(number: UInt64, peerPort: UInt16, onResume: @escaping @Sendable (ReadingPause) -> Void) {
        self.number = number
        self.peerPort = peerPort
        self.onResume = onResume
    }

    /// Whether the pause has ended.
    public var isFinished: Bool { state.withLock { $0.isFinished } }

    /// Ends the pause; without effect if it has ended.
    public func resume() {
        let (isMine, sleeper) = state.withLock { state in
            defer { state.isFinished = true }
            return (!state.isFinished, state.sleeper)
        }
        guard isMine else { return }
        sleeper?.cancel()
        onResume(self)
    }

    /// Stores the wake-up, to cancel it later.
    func wakes(by sleeper: Sleeper) {
        let isFinished = state.withLock { state in
            state.sleeper = sleeper
            return state.isFinished
        }
        if isFinished { sleeper.cancel() }
    }
}
