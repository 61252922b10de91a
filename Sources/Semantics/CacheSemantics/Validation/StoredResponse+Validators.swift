package import HTTPTypes

extension StoredResponse {
    /// Whether a 304 names this stored response, which replaced `validated` while the request about that was under way: what is
    /// stored when a 304 arrives is what it updates (RFC 9111 §4.3.4).
    ///
    /// A 304 without validators can only mean what the request asked about, so that both must have the same.
    package func isNamed(by notModified: HTTPResponse, asReplacementOf validated: StoredResponse) -> Bool {
        let fields = notModified.headerFields
        if let tag = EntityTag(of: fields) {
            return entityTag.map(tag.isWeak ? tag.matchesWeakly : tag.matchesStrongly) ?? false
        }
        if let date = fields[.lastModified].flatMap({ HTTPDate(parsing: $0, now: responseTime) }) {
            return lastModified == date
        }
        return hasValidator(of: validated)
    }

    /// Whether both have the same entity tag or, without one, the same Last-Modified.
    func hasValidator(of other: StoredResponse) -> Bool {
        guard let tag = entityTag else {
            return other.entityTag == nil && lastModified != nil && lastModified == other.lastModified
        }
        return tag == other.entityTag
    }
}
