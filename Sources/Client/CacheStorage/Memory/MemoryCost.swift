import CacheSemantics
import HTTPTypes

/// The memory that an entry takes, in bytes: objects, texts and tables, as measured by `ci/bench store`.
enum MemoryCost {
    /// The part that does not depend on the entry: its objects and its share of the lookup tables.
    static let fixed = 1_400
    /// The cost of a field besides its text.
    private static let perField = 60
    /// The cost of a name in Vary besides its text: as a name, and in the variant key.
    private static let perSelectingName = 32

    /// The cost of a label that no other entry has, in the tables that find entries by labels.
    private static let perLabel = 180

    /// Returns the cost of a stored response with `bodyCount` bytes of content, `metadataSize` bytes of encoded metadata, and
    /// `labels` labels.
    static func of(_ stored: StoredResponse, bodyCount: Int, metadataSize: Int, labels: Int) -> Int {
        let fields = stored.response.headerFields.count + stored.selectingFields.count
        let names = stored.vary.names.count
        return fixed + fields * perField + names * perSelectingName + labels * perLabel + metadataSize
            + bodyCount
    }
}
