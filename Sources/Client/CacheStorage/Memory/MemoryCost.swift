import CacheSemantics
import HTTPTypes

/// The memory that an entry takes, in bytes: objects, texts and tables, as measured by `ci/bench store`.
enum MemoryCost {
    /// The part that does not depend on the entry: its objects and its share of the lookup tables.
    static let fixed = 1_400
    /// The cost of a field besides its text.
    private static let perField = 60

    /// Returns the cost of a stored response with `bodyCount` bytes of content and `metadataSize` bytes of encoded
    /// metadata.
    static func of(_ stored: StoredResponse, bodyCount: Int, metadataSize: Int) -> Int {
        let fields = stored.response.headerFields.count + stored.selectingFields.count
        return fixed + fields * perField + metadataSize + bodyCount
    }
}
