import Synchronization

/// How often memory of a file that somebody has cut off was replaced by empty memory.
///
/// Linux sends SIGBUS to who touches a mapped page of a file that has become shorter. What becomes of a signal is for a
/// program to say, not for a library: a program that wants to go on puts empty memory in the page's place and calls
/// `note()`; every store then looks after its files, and tells what it has found. Without that the program ends.
public enum LostPages {
    private static let number = Atomic<Int>(0)

    /// How often that has happened.
    public static var count: Int { number.load(ordering: .acquiring) }

    /// Notes that it has happened; may be called in a handler of a signal once `count` has been read.
    public static func note() { number.add(1, ordering: .acquiringAndReleasing) }
}

/// The memory that SQLite shares with other processes was cut off, so that they may have seen different things.
struct LostIndex: Error, CustomStringConvertible {
    var description: String { "the index of its log had been made shorter" }
}
