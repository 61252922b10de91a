import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a connection is waiting for, and since when.
///
/// It changes several times with every request, so it is one word without a lock: whoever has the connection enters
/// stages, and whoever looks after its time moves it on only from what was seen.
struct ConnectionStage: ~Copyable {
    enum Kind: UInt64 {
        /// The next request.
        case idle
        /// The rest of a request line.
        case line
        /// The rest of a head.
        case head
        /// The rest of the content.
        case content
        /// The server: whoever answers has the connection.
        case busy
        /// Its end: its time is over, and the client has been told.
        case expired
    }
    /// The stage at one moment.
    struct Seen {
        fileprivate let word: UInt64

        var kind: Kind { Kind(rawValue: word & kindMask) ?? .busy }

        /// How long it has been so, to the timer's tick.
        var time: Duration { .milliseconds(ConnectionStage.now - Int64(word >> kindBits)) }
    }
    private let word: Atomic<UInt64>

    init() { word = Atomic(Self.word(.idle)) }

    /// Has the connection wait for something from now on; false where its time was over before.
    @discardableResult
    func enter(_ kind: Kind) -> Bool {
        let new = Self.word(kind)
        var old = word.load(ordering: .acquiring)
        while old & kindMask != Kind.expired.rawValue {
            let (isDone, found) = word.weakCompareExchange(
                expected: old,
                desired: new,
                ordering: .acquiringAndReleasing
            )
            if isDone { return true }
            old = found
        }
        return false
    }

    var seen: Seen { Seen(word: word.load(ordering: .acquiring)) }

    /// Enters a stage if the connection is still where it was seen; false where it is elsewhere.
    func move(from seen: Seen, to kind: Kind) -> Bool {
        word.compareExchange(
            expected: seen.word,
            desired: Self.word(kind),
            ordering: .acquiringAndReleasing
        ).exchanged
    }

    private static func word(_ kind: Kind) -> UInt64 { UInt64(now) << kindBits | kind.rawValue }

    /// Milliseconds since the machine started.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

private let kindBits: UInt64 = 3
private let kindMask: UInt64 = 1 << kindBits - 1
