import CacheSemantics

/// What stored responses are invalidated by beside their key: digests of what they have in common with others.
enum StoreLabel {
    /// The label of a target URI whose stored responses have keys with more than the URI in them.
    static func target(_ uri: String) -> UInt64 { ByteHash.sum("target " + uri) }

    /// The label of a group of one origin (RFC 9875 §2.1).
    static func group(_ name: String, of origin: String) -> UInt64 { ByteHash.sum("group \(origin) \(name)") }

    /// The labels of a stored response; none for most.
    static func all(of stored: StoredResponse) -> [UInt64] {
        let groups = stored.groups
        guard !groups.isEmpty || !stored.key.content.isEmpty else { return [] }
        let origin = stored.origin
        let own = stored.key.content.isEmpty ? [] : [target(stored.key.targetURI)]
        return own + groups.map { group($0, of: origin) }
    }
}
