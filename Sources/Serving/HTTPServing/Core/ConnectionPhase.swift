import CLibrary
import Synchronization

/// The phase of a connection for its time limits, and when that began.
///
/// It changes several times with every request, so it is one atomic word: the owner of the connection stores phases,
/// and the timer thread replaces a phase only if it is unchanged.
struct ConnectionPhase: ~Copyable {
    enum Kind: UInt64 {
        /// The next request.
        case idle
        /// The rest of a request line.
        case line
        /// The rest of a head.
        case head
        /// The rest of the content.
        case content
        /// The response; the connection belongs to the exchange.
        case busy
        /// Its end: the time limit has passed, and the response was sent.
        case expired
    }
    /// The phase at one point in time.
    struct Seen {
        fileprivate let word: UInt64

        var kind: Kind { Kind(rawValue: word & kindMask) ?? .busy }

        /// The duration of the phase, with the resolution of the timer.
        var time: Duration { .milliseconds(ConnectionPhase.now - Int64(word >> kindBits)) }
    }
    private let word: Atomic<UInt64>

    init() { word = Atomic(Self.word(.idle)) }

    /// Begins a phase; returns false if the time limit had passed before.
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

    /// Replaces the observed phase; returns false if it has changed.
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
