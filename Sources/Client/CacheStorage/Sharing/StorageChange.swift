import CacheSemantics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What happened to stored entries, as the other stores on the folder must learn it.
///
/// Each is a row of the table `change`. A change applies to what a store has in memory or is about to write as well,
/// whether or not the store that made it knew of that.
struct StorageChange: Sendable, Hashable {
    enum Kind: Int64, Sendable {
        /// A row went because room was needed; copies in memory stay true.
        case evicted = 0
        /// A variant went because it was removed or damaged; with no row, what is in memory goes all the same.
        case removed = 1
        /// All variants of a key, and what has a label, must be validated before reuse.
        case invalidated = 2
        /// Everything went.
        case cleared = 3
        /// What was stored later than a moment went.
        case removedSince = 4
        /// A row has new metadata.
        case freshened = 5
        /// A row went because a newer one takes its place.
        case replaced = 6
        /// All variants of a key, and what has a label, went.
        case removedKey = 7
        /// What has a target URI with a prefix, as it was asked for or normalized, went.
        case removedPrefix = 8
        /// Everything of an origin went.
        case removedOrigin = 9
        /// What has a label went.
        case removedLabel = 10

        /// Whether what was stored before must not be used again as it was.
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
    /// The digest of the key or, of `.removedOrigin`, of the origin; zero for none.
    var digest: UInt64 = 0
    /// The digest of the variant; a label where the kind has one.
    var variant: UInt64 = 0
    var moment: Double = 0
    /// The prefix.
    var text = ""

    /// Creates a change of what is stored under a key, if any, and of what has a label, if any.
    static func labelled(_ kind: Kind, key digest: UInt64 = 0, label: UInt64 = 0) -> StorageChange {
        StorageChange(kind: kind, digest: digest, variant: label)
    }

    /// Creates a change of what is stored under all keys with a target URI that is equivalent to that of `key`.
    ///
    /// The key of the normalized target URI alone has no label; all others are found by one (`StoreLabel`).
    static func equivalent(_ kind: Kind, to key: CacheKey) -> StorageChange {
        let label = StoreLabel.target(key.normalizedTargetURI)
        return StorageChange(kind: kind, digest: key.normalized.digest, variant: label)
    }

    /// The label of what it is about beside its key; zero for none.
    var label: UInt64 {
        switch kind {
        case .invalidated, .removedKey, .removedLabel: variant
        case .evicted, .removed, .cleared, .removedSince, .freshened, .replaced, .removedPrefix,
            .removedOrigin:
            0
        }
    }

    /// Whether a stored response with these labels is among what it is about; the moment of storing is not looked at.
    func concerns(_ stored: StoredResponse, labels: @autoclosure () -> [UInt64]) -> Bool {
        switch kind {
        case .evicted, .freshened, .replaced: false
        case .removed: digest == stored.key.digest && variant == StoreState.digest(stored.variant)
        case .invalidated, .removedKey:
            digest == stored.key.digest || label != 0 && labels().contains(label)
        case .cleared, .removedSince: true
        case .removedLabel: labels().contains(label)
        case .removedPrefix: stored.key.begins(with: text)
        case .removedOrigin: digest == StoreState.digest(origin: stored.origin)
        }
    }
}

extension CacheKey {
    /// Whether the target URI begins so, as it is or normalized.
    func begins(with prefix: String) -> Bool {
        var prefix = prefix
        return prefix.withUTF8 { begins(with: $0) }
    }

    /// Whether the target URI begins so, as it is or normalized.
    func begins(with prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        targetURI.begins(with: prefix) || normalizedTargetURI.begins(with: prefix)
    }
}

extension String {
    /// Whether its text begins with these bytes.
    func begins(with prefix: UnsafeBufferPointer<UInt8>) -> Bool {
        let isFound = utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            guard bytes.count >= prefix.count, let start = bytes.baseAddress, let wanted = prefix.baseAddress
            else { return prefix.isEmpty }
            return memcmp(start, wanted, prefix.count) == 0
        }
        return isFound ?? utf8.starts(with: prefix)
    }
}
