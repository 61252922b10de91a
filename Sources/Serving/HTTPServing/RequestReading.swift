public import Clocks
import Locks

/// How the content of one request is read: where reading stops, and how fast it goes.
public struct RequestReading: Sendable {
    /// What happens where reading stops.
    public enum Action: Sendable {
        /// Nothing is read for a while.
        case wait(Duration)
        /// Nothing is read until the hold is released.
        case hold(Hold)
        /// These bytes are sent, in the middle of the request.
        case write([UInt8])
        /// Nothing more is read, and this is the answer.
        case answer(RawReply)
    }
    /// A place in the content.
    public struct Stop: Sendable {
        /// Bytes that come before.
        public var offset: Int
        /// What happens there.
        public var action: Action

        /// Creates a stop.
        public init(after offset: Int, _ action: Action) {
            self.offset = offset
            self.action = action
        }
    }
    /// In the order of their offsets.
    public var stops: [Stop]
    /// Bytes per second from `slowFrom` on; `nil` is unlimited.
    public var bytesPerSecond: Int?
    /// Bytes that come before `bytesPerSecond` holds.
    public var slowFrom = 0
    /// Where time comes from.
    public var clock: any TimeSource
    /// Who is told when reading pauses.
    public var observer: (any ReadingObserver)?

    /// Creates a way to read.
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

/// Somebody who follows the reading of requests; called on any thread, never with a lock held.
public protocol ReadingObserver: Sendable {
    /// Reading waits on its clock or a hold; it may go on already, which `ReadingPause.isOver` tells.
    func readingPaused(_ pause: ReadingPause)
    /// Reading goes on.
    func readingResumed(_ pause: ReadingPause)
}

/// A request whose content is not read for a while, without a thread of its own.
public final class ReadingPause: Sendable {
    private struct State {
        var isOver = false
        var sleeper: Sleeper?
    }
    /// Number of the pause, unique for the server.
    public let number: UInt64
    /// Port of the other end of the connection.
    public let peerPort: UInt16
    private let onResume: @Sendable (ReadingPause) -> Void
    private let state = Lock(State())

    init(number: UInt64, peerPort: UInt16, onResume: @escaping @Sendable (ReadingPause) -> Void) {
        self.number = number
        self.peerPort = peerPort
        self.onResume = onResume
    }

    /// Whether reading goes on, or is about to.
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// Lets reading go on; without effect when it does already.
    public func resume() {
        let (isMine, sleeper) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.sleeper)
        }
        guard isMine else { return }
        sleeper?.cancel()
        onResume(self)
    }

    /// Remembers the wake-up, to call it off.
    func wakes(by sleeper: Sleeper) {
        let isOver = state.withLock { state in
            state.sleeper = sleeper
            return state.isOver
        }
        if isOver { sleeper.cancel() }
    }
}
