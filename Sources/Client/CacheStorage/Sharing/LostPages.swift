import Synchronization

/// A counter of the pages of truncated files that were replaced by empty memory.
///
/// Linux sends SIGBUS to a process that accesses a mapped page beyond the end of a truncated file. The program handles
/// signals, not a library: a program that is to continue puts empty memory in the page's place and calls `note()`;
/// every store then checks its files and reports what it has found. Otherwise the program ends.
public enum LostPages {
    private static let number = Atomic<Int>(0)

    /// The number of replaced pages.
    public static var count: Int { number.load(ordering: .acquiring) }

    /// Counts a replaced page; may be called in a signal handler once `count` has been read.
    public static func note() { number.add(1, ordering: .acquiringAndReleasing) }
}

/// An error for truncation of the memory that SQLite shares with other processes, which may have seen different
/// states.
struct LostIndex: Error, CustomStringConvertible {
    var description: String { "the index of its log was truncated" }
}
