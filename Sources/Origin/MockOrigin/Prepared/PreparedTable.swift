import HTTPServing
import Locks

/// What is prepared, by the exact targets of requests; filled by the requests that are answered otherwise.
final class PreparedTable: Sendable {
    private struct Entry {
        let target: [UInt8]
        let answer: PreparedAnswer
    }
    /// Clients that never ask for the same twice must not fill the memory.
    private static let most = 1024
    private let entries = Lock<[Int: Entry]>([:])

    /// Returns what is prepared for a target.
    func answer(at target: UnsafeBufferPointer<UInt8>) -> PreparedAnswer? {
        let key = Self.key(UnsafeRawBufferPointer(target))
        guard let entry = entries.withLock({ $0[key] }), entry.target.elementsEqual(target) else {
            return nil
        }
        return entry.answer
    }

    /// Returns what is prepared for a target.
    func answer(at target: String) -> PreparedAnswer? {
        var target = target
        return target.withUTF8 { answer(at: $0) }
    }

    /// Takes in what is prepared for a target, in place of what was before.
    func add(_ answer: PreparedAnswer, at target: String) {
        let entry = Entry(target: Array(target.utf8), answer: answer)
        let key = entry.target.withUnsafeBytes { Self.key($0) }
        entries.withLock { entries in
            if entries.count >= Self.most { entries.removeAll(keepingCapacity: true) }
            entries[key] = entry
        }
    }

    /// Two targets of one key push each other out, which is rare and harms nothing.
    private static func key(_ target: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: target)
        return hasher.finalize()
    }
}
