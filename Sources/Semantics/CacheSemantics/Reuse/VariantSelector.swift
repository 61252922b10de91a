public import HTTPTypes

/// Finds by digests the stored responses of a key that a request may select (RFC 9111 §4.1).
///
/// A store with many variants passes only these to the engine. Only responses that the request cannot select are left
/// out, so that selection has the same result. Validation and replacement need all variants.
public struct VariantSelector: Sendable {
    private let fields: HTTPFields
    private let engine: CacheEngine

    init(fields: HTTPFields, engine: CacheEngine) {
        self.fields = fields
        self.engine = engine
    }

    /// Whether variants may be left out; with `Deviations.contentLanguage` a variant that does not match may be selected.
    package var leavesOut: Bool { !engine.deviations.contains(.contentLanguage) }

    /// Whether at most one of the variants with this `Vary` matches the request.
    package func isExact(_ vary: Vary) -> Bool {
        !engine.deviations.contains(.languageOrder) || !vary.names.contains(.acceptLanguage)
    }

    /// Returns the digest of the nominated fields as they were sent; `nil` if they are not stored in that form.
    ///
    /// Fields with equal digests match, except for hash collisions; fields with different digests may match, too.
    package func presentedDigest(_ vary: Vary) -> UInt64? {
        engine.activePartition == nil ? vary.presentedDigest(of: fields) : nil
    }

    /// Returns the digest of the variant key that the request has under this `Vary`.
    package func variantDigest(_ vary: Vary) -> UInt64 {
        vary.variant(of: engine.kept(fields)).digest
    }

    /// Whether the variant matches the request, without the differences that deviations ignore.
    package func selects(_ stored: StoredResponse) -> Bool {
        guard let vary = stored.selection, !vary.neverMatches else { return false }
        return variantDigest(vary) == stored.variant.digest
    }
}

extension CacheEngine {
    /// Returns the selector for the variants that a request may select.
    public func selector(for request: HTTPRequest) -> VariantSelector {
        VariantSelector(fields: request.headerFields, engine: self)
    }
}

extension VariantKey {
    /// A 64-bit hash of the variant key, the same in every process.
    package var digest: UInt64 { ByteHash.sum(text) }
}

extension StoredResponse {
    /// The `Vary` by which requests select it; `nil` if its variant key does not match its selecting fields, as when a
    /// caller stored it directly.
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
            // Separates the lines of one field from those of the next.
            digest = digest &* 3 &+ 1
        }
        return digest
    }
}
