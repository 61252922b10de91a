import CacheSemantics
import Testing

@testable import CacheStorage

@Suite("What one transaction writes")
struct BatchTests {
    private static let record = DiskIndex.Record(
        digest: 1,
        variant: 0,
        size: 1,
        storedAt: 0,
        file: 0,
        isInvalidated: false
    )

    private static func item() -> WriteBatch.Item {
        let candidate = Candidate(entry("a"), Labelling())
        let write = PendingWrite(
            metadata: candidate.metadata,
            metadataSize: candidate.metadataSize,
            labels: []
        )
        return WriteBatch.Item(record: record, write: write)
    }

    @Test("Whatever a batch has it is not empty, and all but the removal of files needs the database")
    func needs() {
        let batches = [
            WriteBatch(), WriteBatch(items: [Self.item()]),
            WriteBatch(changes: [StorageChange(kind: .evicted)]), WriteBatch(invalidated: [Self.record]),
            WriteBatch(files: [1]), WriteBatch(used: [Self.record]), WriteBatch(maximumUseRows: 1),
        ]
        #expect(batches.map(\.isEmpty) == [true, false, false, false, false, false, true])
        #expect(batches.map(\.needsDatabase) == [false, true, true, true, false, true, false])
    }

    /// A change, and whether it withdraws what was stored.
    private static let kinds: [(StorageChange.Kind, Bool)] = [
        (.evicted, false), (.freshened, false), (.replaced, false), (.removed, true), (.invalidated, true),
        (.cleared, true), (.removedSince, true), (.removedKey, true), (.removedPrefix, true),
        (.removedOrigin, true), (.removedLabel, true),
    ]

    @Test("Invalidations and removals withdraw what was stored, and so does a mark that is written later")
    func withdraws() {
        for (kind, expected) in Self.kinds {
            let batch = WriteBatch(changes: [StorageChange(kind: .evicted), StorageChange(kind: kind)])
            #expect(batch.withdraws == expected, "\(kind)")
        }
        #expect(WriteBatch(invalidated: [Self.record]).withdraws)
        #expect(!WriteBatch(items: [Self.item()], files: [1], used: [Self.record]).withdraws)
    }

    @Test("A change has the number in the database that earlier versions have given it")
    func numbers() {
        let kinds: [StorageChange.Kind] = [
            .evicted, .removed, .invalidated, .cleared, .removedSince, .freshened, .replaced, .removedKey,
            .removedPrefix, .removedOrigin, .removedLabel,
        ]
        #expect(kinds.map(\.rawValue) == Array(0...10))
    }

    @Test("The sum of a row covers all that must be correct")
    func sum() {
        let changes: [(inout DiskIndex.Record) -> Void] = [
            { $0.digest = 2 }, { $0.variant = 2 }, { $0.storedAt = 2 }, { $0.file = 2 },
            { $0.isInvalidated = true }, { $0.origin = 2 },
        ]
        let sums = changes.map { change in
            var record = Self.record
            change(&record)
            return record.sum
        }
        #expect(Set(sums + [Self.record.sum]).count == 7)
    }

    @Test("A change concerns what it names, and a change of one row nothing else")
    func concerns() {
        let stored = response("a")
        let (digest, label) = (stored.key.digest, UInt64(5))
        let rows: [(StorageChange, Bool)] = [
            (StorageChange(kind: .evicted, digest: digest), false),
            (StorageChange(kind: .freshened, digest: digest), false),
            (StorageChange(kind: .replaced, digest: digest), false),
            (.labelled(.invalidated, key: digest), true), (.labelled(.invalidated, key: 1), false),
            (.labelled(.invalidated, label: label), true), (.labelled(.invalidated, label: 6), false),
            (.labelled(.removedKey, key: digest), true), (.labelled(.removedKey, label: label), true),
            (.labelled(.removedKey, key: 1, label: 6), false),
            (.labelled(.removedLabel, label: label), true), (.labelled(.removedLabel, label: 6), false),
            (.labelled(.removedLabel, key: digest, label: 6), false),
            (StorageChange(kind: .cleared), true), (StorageChange(kind: .removedSince), true),
            (StorageChange(kind: .removedPrefix, text: "http://example.test/"), true),
            (StorageChange(kind: .removedPrefix, text: "http://example.test/ab"), false),
            (
                StorageChange(
                    kind: .removedOrigin,
                    digest: StoreState.digest(origin: "http://example.test")
                ), true
            ), (StorageChange(kind: .removedOrigin, digest: digest), false),
        ]
        for (change, expected) in rows {
            #expect(change.concerns(stored, labels: [label]) == expected, "\(change)")
        }
    }

    @Test("Only an invalidation or removal of a target URI concerns what answers for other queries")
    func searches() {
        let uri = "http://example.test/a?b"
        let kinds: [StorageChange.Kind] = [.invalidated, .removedKey, .removedPrefix, .cleared]
        let found = kinds.map { StorageChange(kind: $0, text: uri).searchLabel }
        let label = StoreLabel.search("http://example.test/a")
        #expect(found == [label, label, nil, nil])
        #expect(StorageChange(kind: .invalidated).searchLabel == nil)
    }
}
