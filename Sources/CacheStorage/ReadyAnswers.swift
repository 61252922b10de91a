import CacheSemantics
import Locks
import Synchronization

/// What the memory tier answers at once, in shards: threads that hit at the same time share nothing but a count.
///
/// Whoever holds the lock of the store fills and empties it, and takes over from it what was used; hits come from any
/// thread, without that lock.
final class ReadyAnswers: @unchecked Sendable {
    // Reason: the pointers never change; what they point to is touched under the shards' locks, or by atomic operations.
    private struct Answer {
        let key: CacheKey
        let entries: [LocatedEntry]
        /// The folder's generation that it is true for.
        let generation: UInt64
        /// The number of its last use that the store was not told of; zero for none.
        var use: UInt64 = 0
    }
    private struct Shard {
        var answers: [UInt64: Answer] = [:]
        /// The digests of those with a use.
        var used: [UInt64] = []
        var generation: GenerationFile?
        /// Its alignment keeps other shards out of this one's cache lines.
        let spacing = SIMD16<UInt64>()
    }
    private static let count = 64
    private static let line = 128

    // Without references, whose counts all threads would pass to and fro.
    private let shards: UnsafeMutablePointer<Unmanaged<Lock<Shard>>>
    private let lines: UnsafeMutableRawPointer
    /// The number of the last use of anything, in a cache line of its own.
    private let uses: UnsafeMutablePointer<Atomic<UInt64>>
    /// A bit for each shard that has something to tell.
    private let news: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
        shards = .allocate(capacity: Self.count)
        for number in 0..<Self.count {
            (shards + number).initialize(to: .passRetained(Lock(Shard())))
        }
        lines = .allocate(byteCount: 3 * Self.line, alignment: Self.line)
        lines.initializeMemory(as: UInt8.self, repeating: 0, count: 3 * Self.line)
        uses = lines.bindMemory(to: Atomic<UInt64>.self, capacity: 1)
        news = (lines + 2 * Self.line).bindMemory(to: Atomic<UInt64>.self, capacity: 1)
    }

    deinit {
        for number in 0..<Self.count { shards[number].release() }
        shards.deallocate()
        lines.deallocate()
    }

    /// What is stored under a key, which counts as a use; `nil` where the store has to be asked.
    func entries(for key: CacheKey, digest: UInt64) -> [LocatedEntry]? {
        withShard(of: digest) { shard in
            guard let place = shard.answers.index(forKey: digest), shard.answers.values[place].key == key,
                shard.answers.values[place].generation == shard.generation?.value ?? 0
            else { return nil }
            if shard.answers.values[place].use == 0 {
                shard.used.append(digest)
                news.pointee.bitwiseOr(1 << UInt64(Self.number(digest)), ordering: .releasing)
            }
            shard.answers.values[place].use = uses.pointee.add(1, ordering: .relaxed).newValue
            return shard.answers.values[place].entries
        }
    }

    // MARK: Under the lock of the store

    /// Takes all that is stored under a key, true as long as the folder has the `generation`.
    func publish(
        _ entries: [LocatedEntry],
        of key: CacheKey,
        digest: UInt64,
        _ generation: UInt64,
        _ file: GenerationFile?
    ) {
        withShard(of: digest) { shard in
            shard.generation = file
            let answer = Answer(key: key, entries: entries, generation: file == nil ? 0 : generation)
            shard.answers[digest] = answer
        }
    }

    /// Forgets what was stored under a key.
    func drop(_ digest: UInt64) {
        withShard(of: digest) { shard in
            if !shard.answers.isEmpty { shard.answers[digest] = nil }
        }
    }

    /// Forgets everything.
    func removeAll() {
        for number in 0..<Self.count {
            shards[number]._withUnsafeGuaranteedRef { shard in
                shard.withLock { shard in
                    shard.answers = [:]
                    shard.used = []
                    shard.generation = nil
                }
            }
        }
    }

    /// The digests of the keys that were used since they were taken last, in the order of their last use.
    func takeUses() -> [UInt64] {
        guard news.pointee.load(ordering: .acquiring) != 0 else { return [] }
        var bits = news.pointee.exchange(0, ordering: .acquiringAndReleasing)
        var found: [(digest: UInt64, use: UInt64)] = []
        while bits != 0 {
            takeUses(of: bits.trailingZeroBitCount, into: &found)
            bits &= bits - 1
        }
        return found.sorted { $0.use < $1.use }.map(\.digest)
    }

    private func takeUses(of number: Int, into found: inout [(digest: UInt64, use: UInt64)]) {
        shards[number]._withUnsafeGuaranteedRef { shard in
            shard.withLock { shard in
                for digest in shard.used {
                    guard let place = shard.answers.index(forKey: digest) else { continue }
                    found.append((digest, shard.answers.values[place].use))
                    shard.answers.values[place].use = 0
                }
                shard.used.removeAll(keepingCapacity: true)
            }
        }
    }

    private static func number(_ digest: UInt64) -> Int { Int(digest >> 58) }

    @inline(__always)
    private func withShard<Result>(of digest: UInt64, _ body: (inout Shard) -> Result) -> Result {
        shards[Self.number(digest)]._withUnsafeGuaranteedRef { $0.withLock { body(&$0) } }
    }
}
