public import Clocks

/// An answer as bytes and waits, written to the socket exactly as it stands.
///
/// What libmicrohttpd cannot form goes this way: own reason phrases, empty values, 1xx, a 304 without a length,
/// lying lengths, faults and waits.
public struct RawReply: Sendable {
    /// One thing to do.
    public enum Step: Sendable {
        /// Write these bytes.
        case write(ArraySlice<UInt8>)
        /// Write bytes that are made while they are written, so that a large content takes little memory.
        case produce(ContentProducer)
        /// Let time pass on the reply's clock.
        case wait(Duration)
        /// Wait until the hold is released.
        case hold(Hold)
        /// Wait for as long as is told when the step is reached; `nil` is for ever.
        case pause(@Sendable () -> Duration?)
        /// Wait until the client has sent so many bytes that nobody has read.
        case input(Int)
        /// Wait until the client has sent so many bytes, or such a share, of its TLS hello, or all of it.
        case hello(HelloPoint)
        /// Skip so many steps unless what the client has sent begins as a TLS hello does, or, with false, if it does.
        case expectTLS(Bool, elseSkip: Int)
        /// End here, in this way.
        case end(Ending)
        /// Go on with what is decided only now, in place of all that follows.
        case decide(@Sendable () -> Rest)
    }
    /// What becomes of the connection.
    public enum Ending: Sendable, Hashable {
        /// The next request may come on it.
        case keepAlive
        /// It is closed.
        case close
        /// It is closed as a process that ends closes it: TLS sends no alert that tells an end from a cut (RFC 8446 §6.1).
        case cut
        /// It is closed after what the client still sends has been read and thrown away.
        case drainAndClose
        /// It is reset.
        case reset
    }

    /// A place in a client's TLS hello.
    public enum HelloPoint: Sendable, Hashable {
        /// After so many bytes.
        case byte(Int)
        /// After such a share, 0 to 1.
        case share(Double)
    }

    /// What is decided late: the steps that are left, and the ending.
    public struct Rest: Sendable {
        /// What to do, in order.
        public var steps: [Step]
        /// What to do at the end.
        public var ending: Ending

        /// Creates a rest.
        public init(_ steps: [Step], ending: Ending) {
            self.steps = steps
            self.ending = ending
        }
    }

    /// What to do, in order.
    public var steps: [Step]
    /// What to do at the end.
    public var ending: Ending
    /// Where time comes from.
    public var clock: any TimeSource
    /// Who is told how the exchange goes.
    public var observer: (any ExchangeObserver)?
    /// Whether the next request on the connection is likely one whose answer is prepared; default false.
    public var precedesPrepared = false
    /// Is given what the socket has taken, piece by piece; called by the exchange's thread, with no lock held.
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

/// Content that is made piece by piece.
public struct ContentProducer: Sendable {
    /// Bytes of all pieces.
    public let count: Int
    /// How many bytes of what is made come before.
    private let start: Int
    private let make: @Sendable (Range<Int>) -> ArraySlice<UInt8>?

    /// Creates a producer; `bytes` returns those at some places of the content, all of them, or `nil` to end the exchange.
    public init(count: Int, bytes: @escaping @Sendable (Range<Int>) -> ArraySlice<UInt8>?) {
        self.init(count: count, start: 0, make: bytes)
    }

    private init(count: Int, start: Int, make: @escaping @Sendable (Range<Int>) -> ArraySlice<UInt8>?) {
        (self.count, self.start, self.make) = (count, start, make)
    }

    /// Returns the bytes at some places of the content, all of them; `nil` ends the exchange.
    public func bytes(_ places: Range<Int>) -> ArraySlice<UInt8>? {
        make(start + places.lowerBound..<start + places.upperBound)
    }

    /// Returns the content without its first bytes.
    public func dropFirst(_ dropped: Int) -> ContentProducer {
        let dropped = min(max(dropped, 0), count)
        return ContentProducer(count: count - dropped, start: start + dropped, make: make)
    }

    /// Largest piece in bytes.
    static let pieceSize = 64 << 10
}

/// How an exchange ended.
public enum ExchangeEnd: Sendable, Hashable {
    /// Every step was done.
    case complete
    /// The client went away.
    case aborted
    /// The server stopped it.
    case stopped
}

/// Somebody who follows one exchange; called on any thread, never with a lock held.
public protocol ExchangeObserver: Sendable {
    /// The first step is about to be done.
    func exchangeBegan(_ exchange: RawExchange)
    /// The exchange waits on its clock or a hold, everything before is written.
    func exchangeParked()
    /// The exchange is over.
    func exchangeEnded(_ end: ExchangeEnd, bytesSent: Int)
}
