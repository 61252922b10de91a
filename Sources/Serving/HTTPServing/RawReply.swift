public import Clocks

/// A response as a sequence of bytes and waits, written to the socket unchanged.
///
/// Used for everything that is not prepared: custom reason phrases, empty values, 1xx, wrong lengths, faults and waits.
public struct RawReply: Sendable {
    /// A step of a reply, performed after the one before it.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Step: Sendable {
        /// Write these bytes.
        case write(ArraySlice<UInt8>)
        /// Write bytes that are produced while they are written, so that large content needs little memory.
        case produce(ContentProducer)
        /// Wait on the reply's clock.
        case wait(Duration)
        /// Wait until the hold is released.
        case hold(Hold)
        /// Wait for the duration that the closure returns when the step is reached; `nil` means forever.
        case pause(@Sendable () -> Duration?)
        /// Wait until the socket has a number of unread bytes.
        case input(Int)
        /// Wait for a position in the client's TLS hello, or for its end.
        case hello(HelloPoint)
        /// Skip a number of steps unless the client's bytes begin like a TLS hello or, with false, if they do.
        case expectTLS(Bool, elseSkip: Int)
        /// End the reply here in a given way.
        case end(Ending)
        /// Replace the following steps by those that the closure returns when this step is reached.
        case decide(@Sendable () -> Rest)
    }
    /// The treatment of the connection at the end.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Ending: Sendable, Hashable {
        /// It is reused for the next request.
        case keepAlive
        /// It is closed.
        case close
        /// It is closed as by the end of the process: without the TLS alert that marks an orderly end (RFC 8446 §6.1).
        case cut
        /// It is closed after the client's remaining bytes have been read and discarded.
        case drainAndClose
        /// It is reset.
        case reset
    }

    /// A position in a client's TLS hello.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum HelloPoint: Sendable, Hashable {
        /// After a number of bytes.
        case byte(Int)
        /// After a fraction, 0 to 1.
        case share(Double)
    }

    /// The rest of a reply that is decided late.
    public struct Rest: Sendable {
        /// The steps, in order.
        public var steps: [Step]
        /// The end of the exchange after the steps.
        public var ending: Ending

        /// Creates a rest.
        public init(_ steps: [Step], ending: Ending) {
            self.steps = steps
            self.ending = ending
        }
    }

    /// The steps, in order.
    public var steps: [Step]
    /// The end of the exchange after the steps.
    public var ending: Ending
    /// The clock of its waits.
    public var clock: any TimeSource
    /// When the request arrived, in `elapsed` of `clock`; `nil` if the first waits count from when they begin.
    ///
    /// The waits before the first other step count from then, so one is over if the clock is moved before it begins.
    public var arrivedAt: Duration?
    /// Observes the exchange.
    public var observer: (any ExchangeObserver)?
    /// Receives the bytes that were written, piece by piece; called on the exchange's thread, without locks held.
    public var onWritten: (@Sendable (ArraySlice<UInt8>) -> Void)?

    /// Creates a reply.
    public init(
        _ steps: [Step],
        ending: Ending,
        clock: any TimeSource,
        observer: (any ExchangeObserver)? = nil
    ) {
        self.steps = steps
        self.ending = ending
        self.clock = clock
        self.observer = observer
    }
}

/// Content that is produced piece by piece.
public struct ContentProducer: Sendable {
    /// The size of all pieces in bytes.
    public let count: Int
    /// The offset in the produced content at which it begins.
    private let start: Int
    private let make: @Sendable (Range<Int>) -> ArraySlice<UInt8>?

    /// Creates a producer; `bytes` returns all bytes of a range of the content, or `nil` to end the exchange.
    public init(count: Int, bytes: @escaping @Sendable (Range<Int>) -> ArraySlice<UInt8>?) {
        self.init(count: count, start: 0, make: bytes)
    }

    private init(count: Int, start: Int, make: @escaping @Sendable (Range<Int>) -> ArraySlice<UInt8>?) {
        (self.count, self.start, self.make) = (count, start, make)
    }

    /// Returns all bytes of a range of the content; `nil` ends the exchange.
    public func bytes(_ places: Range<Int>) -> ArraySlice<UInt8>? {
        make(start + places.lowerBound..<start + places.upperBound)
    }

    /// Returns the content without its first bytes.
    public func dropFirst(_ dropped: Int) -> ContentProducer {
        let dropped = min(max(dropped, 0), count)
        return ContentProducer(count: count - dropped, start: start + dropped, make: make)
    }

    /// Largest piece in bytes.
    package static let pieceSize = 64 << 10
}

/// The kind of an exchange's end.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ExchangeEnd: Sendable, Hashable {
    /// All steps were completed.
    case complete
    /// The client disconnected.
    case aborted
    /// The server stopped it.
    case stopped
}

/// An observer of one exchange; called on any thread, never with a lock held.
public protocol ExchangeObserver: Sendable {
    /// Called before the first step.
    func exchangeBegan(_ exchange: RawExchange)
    /// Called when the exchange waits on its clock or a hold, after all earlier bytes were written.
    func exchangeParked()
    /// Called when the exchange has ended.
    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int)
}
