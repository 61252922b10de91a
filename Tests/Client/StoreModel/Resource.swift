package import CacheSemantics
package import CacheStorage
package import HTTPTypes

/// The key, variant, group and size of versions that are stored.
package struct Resource: Sendable {
    package var uri: String
    package var content = ""
    /// The language that it is the variant for; empty without a selecting field.
    package var language = ""
    package var group = ""
    package var tags = ""
    package var size = 300
    package var policy = StoragePolicy.allowed

    package var key: CacheKey { CacheKey(targetURI: uri, content: content) }

    package var variant: VariantKey {
        language.isEmpty ? VariantKey() : Vary(["Accept-Language"]).variant(of: selectingFields)
    }

    /// Selects the variants that a request with its language may use.
    package var selector: VariantSelector {
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: String(origin.dropFirst("http://".count)),
            path: "/",
            headerFields: selectingFields
        )
        return CacheEngine().selector(for: request)
    }

    private var selectingFields: HTTPFields { language.isEmpty ? [:] : [.acceptLanguage: language] }

    package var origin: String { StoredResponse.origin(of: uri) }

    /// The number of variants of one key that are kept.
    package static let maximumVariants = 2

    /// The tag that `.removeTag` removes: its first, else its group; empty for none.
    package var tag: String { tags.split(separator: " ").first.map(String.init) ?? group }

    /// Whether it has a tag.
    package func has(tag: String) -> Bool {
        !tag.isEmpty && (group == tag || tags.split(separator: " ").contains { $0 == tag })
    }

    /// Two origins, keys with content and with more variants than are kept, another spelling, groups, tags, a body in a
    /// file, and one for memory alone.
    package static let all = [
        Resource(uri: "http://a.test/x/1"),
        Resource(uri: "http://a.test/x/1", language: "en", tags: "t"),
        Resource(uri: "http://a.test/x/1", language: "de"),
        Resource(uri: "http://a.test/x/1", language: "fr"),
        Resource(uri: "http://a.test/x/%31"),
        Resource(uri: "http://a.test/x/2", group: "g", tags: "u t"),
        Resource(uri: "http://a.test/y", content: "q:1"),
        Resource(uri: "http://a.test/y", tags: "u"),
        Resource(uri: "http://a.test/x/3", group: "g", size: 70_000),
        Resource(uri: "http://a.test/z", group: "h", tags: "t", policy: .allowedInMemoryOnly),
        Resource(uri: "http://b.test/x/1", group: "g", tags: "t"),
    ]

    /// The prefix that `.removePrefix` removes: half of the origin's paths.
    package var prefix: String { uri.hasSuffix("y") ? uri : origin + "/x" }

    /// Returns an entry of a version, which is recorded in its content and one of its fields.
    package func entry(_ number: Int) -> CacheEntry {
        var fields: HTTPFields = [.cacheControl: "max-age=60", Self.number: String(number)]
        if !group.isEmpty { fields[.cacheGroups] = "\"\(group)\"" }
        if !language.isEmpty { fields[.vary] = "Accept-Language" }
        if !tags.isEmpty { fields[Self.tags] = tags }
        let stored = StoredResponse(
            key: key,
            variant: variant,
            method: .get,
            selectingFields: selectingFields,
            response: HTTPResponse(status: .ok, headerFields: fields),
            requestTime: HTTPDate(secondsSinceEpoch: 1_000_000),
            responseTime: HTTPDate(secondsSinceEpoch: 1_000_000)
        )
        return CacheEntry(stored: stored, body: .bytes(content(number)), storagePolicy: policy)
    }

    /// Returns the version of an entry; `nil` if its content is another's.
    package func version(of entry: CacheEntry) -> Int? {
        guard let text = entry.stored.response.headerFields[Self.number], let number = Int(text),
            let bytes = try? entry.body.readAll(), bytes == content(number)
        else { return nil }
        return number
    }

    private func content(_ number: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31 &+ uri.utf8.count), count: size)
    }

    private static let number = known("X-Number")
    /// The field that contains tags.
    package static let tags = known("Surrogate-Key")

    /// Returns a name that is known to be valid.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("not a field name: \(name)") }
        return known
    }
}
