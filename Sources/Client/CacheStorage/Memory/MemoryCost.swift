import CacheSemantics
import HTTPTypes

/// What an entry takes of the process's memory, in bytes: objects, texts and tables, as measured by `ci/bench store`.
enum MemoryCost {
    /// What does not depend on the entry: its objects, and its part of the tables that lead to it.
    static let fixed = 1_400
    /// What a field takes beside its text.
    private static let perField = 60

    /// Returns the cost of a stored response with `bodyCount` bytes of content and `metadataSize` bytes of encoded metadata.
    static func of(_ stored: StoredResponse, bodyCount: Int, metadataSize: Int) -> Int {
        let fields = stored.response.headerFields.count + stored.selectingFields.count
        return fixed + fields * perField + metadataSize + bodyCount
    }
}
