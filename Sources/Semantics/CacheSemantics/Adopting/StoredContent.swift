/// A stored response with its content in memory.
public struct StoredContent: Sendable {
    /// Head and metadata.
    public internal(set) var response: StoredResponse
    /// Content as received, with its content codings; empty for an alias.
    public let content: [UInt8]
    /// The number of the content, which freshening preserves and storing another response changes.
    let serial: UInt64

    /// Creates a stored response, as read back by a store; `serial` is what `serialNumber` was when it was written.
    public init(_ response: StoredResponse, content: [UInt8], serialNumber: UInt64) {
        self.response = response.isAlias ? response : response.holding(contentLength: content.count)
        self.content = content
        serial = serialNumber
    }

    /// Identifies the content within its store, for a store that writes it to a file.
    public var serialNumber: UInt64 { serial }

    /// Returns the same, marked as invalidated or not.
    func invalidated(_ isInvalidated: Bool) -> StoredContent {
        var copy = self
        copy.response = response.invalidated(isInvalidated)
        return copy
    }

    /// The primary cache key.
    public var key: CacheKey { response.key }
    /// The variant key; `(key, variant)` is unique in a store.
    public var variant: VariantKey { response.variant }
}

extension [StoredContent] {
    /// Returns the content of a stored response, which for an alias is that of another variant.
    func content(of stored: StoredResponse) -> [UInt8]? {
        first { $0.variant == stored.contentVariant && !$0.response.isAlias }?.content
    }

    func variant(_ variant: VariantKey) -> StoredContent? { first { $0.variant == variant } }
}

extension StoredResponse {
    /// Returns some bytes of the representation from the stored content; `nil` if not all are stored.
    func bytes(_ range: ByteRange, from content: [UInt8]) -> ArraySlice<UInt8>? {
        guard let offset = parts.map({ $0.offset(of: range) }) ?? range.first else { return nil }
        guard offset + range.count <= Int64(content.count) else { return nil }
        return content[Int(offset)..<Int(offset + range.count)]
    }
}
