public import HTTPTypes

/// Tells by digests which stored responses of its key a request may select (RFC 9111 §4.1).
///
/// With it a store hands the engine a few of many variants. It leaves out only what the request cannot select, so that the
/// engine selects the same stored response as among all of them. What is to be validated or replaced needs all.
public struct VariantSelector: Sendable {
    private let fields: HTTPFields
    private let engine: CacheEngine

    init(fields: HTTPFields, engine: CacheEngine) {
        self.fields = fields
        self.engine = engine
    }

    /// Whether variants may be left out: with `Deviations.contentLanguage` one that does not match may be the answer.
    package var leavesOut: Bool { !engine.deviations.contains(.contentLanguage) }

    /// Whether one variant at most of those with this `Vary` matches the request.
    package func isExact(_ vary: Vary) -> Bool {
        !engine.deviations.contains(.languageOrder) || !vary.names.contains(.acceptLanguage)
    }

    /// Returns the digest of the nominated fields as they were sent; `nil` where they are not stored as they are sent.
    ///
    /// Fields with equal digests match, but for chance; others may match all the same.
    package func presentedDigest(_ vary: Vary) -> UInt64? {
        engine.activePartition == nil ? vary.presentedDigest(of: fields) : nil
    }

    /// Returns the digest of the key of the variant that the request selects by this `Vary`.
    package func variantDigest(_ vary: Vary) -> UInt64 {
        vary.variant(of: engine.kept(fields)).digest
    }

    /// Whether the request selects this variant, or would but for others; other spellings apart that deviations pass over.
    package func selects(_ stored: StoredResponse) -> Bool {
        guard let vary = stored.selection, !vary.neverMatches else { return false }
        return variantDigest(vary) == stored.variant.digest
    }
}

extension CacheEngine {
    /// Returns what tells the variants apart that a request may select.
    public func selector(for request: HTTPRequest) -> VariantSelector {
        VariantSelector(fields: request.headerFields, engine: self)
    }
}

extension VariantKey {
    /// Tells it from nearly all others of its key; the same in every process.
    package var digest: UInt64 { ByteHash.sum(text) }
}

extension StoredResponse {
    /// The `Vary` by which requests select it; `nil` where the variant is not the one of its selecting fields, as where a
    /// caller has stored it by hand.
    package var selection: Vary? {
        facts.vary.variant(of: facts.selectingValues) == facts.variant ? facts.vary : nil
    }

    /// The digest of the selecting fields as they were sent with the request that it answered.
    package var presentedDigest: UInt64 { facts.vary.presentedDigest(of: facts.selectingFields) }
}

extension Vary {
    fileprivate func presentedDigest(of fields: HTTPFields) -> UInt64 {
        var digest: UInt64 = 1
        for name in names {
            for field in fields where field.name == name {
                digest = field.withUnsafeBytesOfValue {
                    ByteHash.sum(UnsafeRawBufferPointer($0), seed: digest)
                }
            }
            // Where the lines of one field end and those of the next begin.
            digest = digest &* 3 &+ 1
        }
        return digest
    }
}
