import HTTPServing
import Locks

/// The prepared answers by the exact targets of requests; filled by requests that are answered in the general way.
final class PreparedTable: Sendable {
    private struct Entry {
        let target: [UInt8]
        let answer: PreparedAnswer
    }
    /// The maximum number of answers, which bounds the memory used by clients that never repeat a target.
    private static let maximumEntries = 1024
    private let entries = Lock<[Int: Entry]>([:])

    /// Returns the prepared answer of a target.
    func answer(at target: UnsafeBufferPointer<UInt8>) -> PreparedAnswer? {
        let key = Self.key(UnsafeRawBufferPointer(target))
        guard let entry = entries.withLock({ $0[key] }), entry.target.elementsEqual(target) else {
            return nil
        }
        return entry.answer
    }

    /// Returns the prepared answer of a target.
    func answer(at target: String) -> PreparedAnswer? {
        var target = target
        return target.withUTF8 { answer(at: $0) }
    }

    /// Sets the prepared answer of a target.
    func add(_ answer: PreparedAnswer, at target: String) {
        let entry = Entry(target: Array(target.utf8), answer: answer)
        let key = entry.target.withUnsafeBytes { Self.key($0) }
        entries.withLock { entries in
            if entries.count >= Self.maximumEntries { entries.removeAll(keepingCapacity: true) }
            entries[key] = entry
        }
    }

    /// Returns the key of a target: two targets with the same key replace each other, which is rare and harmless.
    private static func key(_ target: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: target)
        return hasher.finalize()
    }
}
