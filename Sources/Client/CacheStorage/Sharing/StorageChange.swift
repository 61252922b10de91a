import CacheSemantics
import CLibrary

/// A change of stored entries, as the other stores on the folder read it.
///
/// Each is a row of the table `change`. A change also applies to entries that a store has in memory or is about to
/// write, whether or not the store that made it knew of them.
struct StorageChange: Sendable, Hashable {
    enum Kind: Int64, Sendable {
        /// A row was deleted to make room; copies in memory stay valid.
        case evicted = 0
        /// A variant was removed, on request or because of damage; without a row, it is removed from memory all the
        /// same.
        case removed = 1
        /// All variants of a key, the entries with a label, and those that a target URI matches by their No-Vary-Search must be
        /// validated before reuse.
        case invalidated = 2
        /// Everything was removed.
        case cleared = 3
        /// The entries stored later than a given time were removed.
        case removedSince = 4
        /// A row has new metadata.
        case freshened = 5
        /// A row was deleted because a newer one replaces it.
        case replaced = 6
        /// All variants of a key, the entries with a label, and those that a target URI matches by their No-Vary-Search were
        /// removed.
        case removedKey = 7
        /// The entries whose target URIs have a prefix, as requested or normalized, were removed.
        case removedPrefix = 8
        /// All entries of an origin were removed.
        case removedOrigin = 9
        /// The entries with a label were removed.
        case removedLabel = 10

        /// Whether the previous state of what was stored must not be used again.
        var withdraws: Bool {
            switch self {
            case .evicted, .freshened, .replaced: false
            case .removed, .invalidated, .cleared, .removedSince, .removedKey, .removedPrefix, .removedOrigin,
                .removedLabel:
                true
            }
        }
    }

    var kind: Kind
    var row: Int64 = 0
    /// The digest of the key or, for `.removedOrigin`, of the origin; zero for none.
    var digest: UInt64 = 0
    /// The digest of the variant; a label if the kind has one.
    var variant: UInt64 = 0
    var moment: Double = 0
    /// The prefix; for an invalidation or removal of a target URI its normal form.
    var text = ""

    /// Creates a change of the entries under a key, if any, and of those with a label, if any.
    static func labelled(_ kind: Kind, key digest: UInt64 = 0, label: UInt64 = 0) -> StorageChange {
        StorageChange(kind: kind, digest: digest, variant: label)
    }

    /// Creates a change of the entries under all keys whose target URIs are equivalent to that of `key`.
    ///
    /// The key that consists of the normalized target URI alone has no label; all others are found by one
    /// (`StoreLabel`). So are the entries whose No-Vary-Search makes them answer for that target URI.
    static func equivalent(_ kind: Kind, to key: CacheKey) -> StorageChange {
        let uri = key.normalizedTargetURI
        return StorageChange(
            kind: kind,
            digest: key.normalized.digest,
            variant: StoreLabel.target(uri),
            text: uri
        )
    }

    /// The label of the entries that its target URI may match by their No-Vary-Search; `nil` for a change without one.
    var searchLabel: UInt64? {
        guard kind == .invalidated || kind == .removedKey, !text.isEmpty else { return nil }
        return StoreLabel.search(text)
    }

    /// The label of the affected entries besides those of its key; zero for none.
    var label: UInt64 {
        switch kind {
        case .invalidated, .removedKey, .removedLabel: variant
        case .evicted, .removed, .cleared, .removedSince, .freshened, .replaced, .removedPrefix,
            .removedOrigin:
            0
        }
    }

    /// Returns whether a stored response with these labels is affected; the time of storing is ignored.
    func concerns(_ stored: StoredResponse, labels: @autoclosure () -> [UInt64]) -> Bool {
        switch kind {
        case .evicted, .freshened, .replaced: false
        case .removed: digest == stored.key.digest && variant == StoreState.digest(stored.variant)
        case .invalidated, .removedKey:
            digest == stored.key.digest || label != 0 && labels().contains(label)
                || searchLabel != nil && stored.isMatched(byNormalizedTargetURI: text)
        case .cleared, .removedSince: true
        case .removedLabel: labels().contains(label)
        case .removedPrefix: stored.key.begins(with: text)
        case .removedOrigin: digest == StoreState.digest(origin: stored.origin)
        }
    }
}

extension CacheKey {
    /// Returns whether the target URI starts with `prefix`, as stored or normalized.
    func begins(with prefix: String) -> Bool {
        var prefix = prefix
        return prefix.withUTF8 { begins(with: $0) }
    }

    /// Returns whether the target URI starts with `prefix`, as stored or normalized.
    func begins(with prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        targetURI.begins(with: prefix) || normalizedTargetURI.begins(with: prefix)
    }
}

extension String {
    /// Returns whether the string starts with these bytes.
    func begins(with prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        let isFound = utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            guard bytes.count >= prefix.count, let start = bytes.baseAddress, let wanted = prefix.baseAddress
            else { return prefix.isEmpty }
            return memcmp(start, wanted, prefix.count) == 0
        }
        return isFound ?? utf8.starts(with: prefix)
    }
}
