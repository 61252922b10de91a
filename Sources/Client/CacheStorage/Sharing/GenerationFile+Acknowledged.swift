import CacheSemantics
import Synchronization

/// The last invalidation or removal that was acknowledged.
///
/// A database that does not contain it has lost changes.
///
/// It is stored next to the generation number, outside of the database, so that damage to the database's log, after
/// which SQLite falls back on an earlier state, does not restore what was invalidated or removed.
///
/// One word: 48 bits of the change's number, and 16 bits of a digest that reveals damage or another database.
struct AcknowledgedChange: Sendable, Hashable {
    let word: UInt64

    fileprivate init(word: UInt64) { self.word = word }

    fileprivate init(_ change: Int64, of database: UInt64) {
        let number = UInt64(max(change, 0)) & (1 << 48 - 1)
        word = number << 16 | Self.sum(number, database)
    }

    private var number: UInt64 { word >> 16 }

    /// Throws if a database is older than it should be, or if that cannot be determined.
    ///
    /// A word of zero has no meaning: the file is new, or was restored.
    func check(_ last: Int64, of database: UInt64) throws(OutdatedDatabase) {
        guard word != 0 else { return }
        guard word & 0xFFFF == Self.sum(number, database), number <= UInt64(max(last, 0)) else {
            throw OutdatedDatabase()
        }
    }

    fileprivate func isNewer(than other: AcknowledgedChange, of database: UInt64) -> Bool {
        other.word & 0xFFFF != Self.sum(other.number, database) || number > other.number
    }

    private static func sum(_ number: UInt64, _ database: UInt64) -> UInt64 {
        let sum = [number, database].withUnsafeBytes { ByteHash.sum($0) } & 0xFFFF
        return max(sum, 1)
    }
}

extension GenerationFile {
    /// The change that every database of the folder must contain.
    var acknowledged: AcknowledgedChange {
        AcknowledgedChange(word: record.pointee.load(ordering: .acquiring))
    }

    /// Records that a change of a database has been committed.
    func acknowledge(_ change: Int64, of database: UInt64) {
        let newer = AcknowledgedChange(change, of: database)
        var current = acknowledged
        while newer.isNewer(than: current, of: database) {
            let (isDone, found) = record.pointee.compareExchange(
                expected: current.word,
                desired: newer.word,
                ordering: .acquiringAndReleasing
            )
            if isDone { return }
            current = AcknowledgedChange(word: found)
        }
    }

    /// Clears the record, because there is another database.
    func forgetAcknowledged() { record.pointee.store(0, ordering: .releasing) }
}

/// An error for a database that lacks an invalidation or a removal.
struct OutdatedDatabase: Error, CustomStringConvertible {
    var description: String { "older than its last invalidation or removal" }
}
