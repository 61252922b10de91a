import CacheSemantics

/// What stored responses are invalidated by beside their key: digests of what they have in common with others; one
/// tells only by what else they are found.
enum StoreLabel {
    /// The label of a normalized target URI, for stored responses whose keys are not made of that URI alone.
    static func target(_ uri: String) -> UInt64 { ByteHash.sum("target " + uri) }

    /// The label of a group of one origin (RFC 9875 §2.1).
    static func group(_ name: String, of origin: String) -> UInt64 { ByteHash.sum("group \(origin) \(name)") }

    /// The label of what may answer for other queries than its own (No-Vary-Search).
    static let searches = ByteHash.sum("search")

    /// The labels of a stored response; none for most.
    static func all(of stored: StoredResponse) -> [UInt64] {
        let groups = stored.groups
        let isSearched = stored.noVarySearch != nil
        let normalized = stored.key.normalizedTargetURI
        let hasOwnKey = stored.key.content.isEmpty && normalized == stored.key.targetURI
        guard !groups.isEmpty || !hasOwnKey || isSearched else { return [] }
        let origin = stored.origin
        var labels = groups.map { group($0, of: origin) }
        if !hasOwnKey { labels.append(target(normalized)) }
        if isSearched { labels.append(searches) }
        return labels
    }
}
