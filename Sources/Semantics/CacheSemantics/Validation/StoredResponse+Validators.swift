extension StoredResponse {
    /// Whether a 304 that identifies the other response identifies this one, too: both have the same entity tag or, without one, the
    /// same Last-Modified (RFC 9111 §4.3.4).
    package func hasValidator(of other: StoredResponse) -> Bool {
        guard let tag = entityTag else {
            return other.entityTag == nil && lastModified != nil && lastModified == other.lastModified
        }
        return tag == other.entityTag
    }
}
