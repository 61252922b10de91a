import CacheSemantics
import HTTPTypes

/// The labels by which stored responses are invalidated and removed besides their key: digests of properties that they
/// share with others.
///
/// `searches` is only used to find responses.
enum StoreLabel {
    /// Returns the label of a normalized target URI, for stored responses whose keys do not consist of that URI alone.
    static func target(_ uri: String) -> UInt64 { ByteHash.sum("target " + uri) }

    /// Returns the label of a group of one origin (RFC 9875 §2.1).
    static func group(_ name: String, of origin: String) -> UInt64 { ByteHash.sum("group \(origin) \(name)") }

    /// Returns the label of a tag of one origin, from a field other than `Cache-Groups`; no response invalidates by it.
    static func tag(_ name: String, of origin: String) -> UInt64 { ByteHash.sum("tag \(origin) \(name)") }

    /// The label of responses that may answer queries other than their own (No-Vary-Search).
    static let searches = ByteHash.sum("search")

    /// Returns the label of those with a normalized target URI that differs from `uri` at most in its query.
    static func search(_ uri: String) -> UInt64 { ByteHash.sum("search " + NoVarySearch.parts(of: uri).base) }
}

/// The rules by which the stored responses of one store get labels.
struct Labelling: Sendable {
    /// The fields whose members are tags.
    var tagFields: [HTTPField.Name] = []

    /// Returns the labels of a stored response; usually none.
    func labels(of stored: StoredResponse) -> [UInt64] {
        let groups = stored.groups
        let tags = tagFields.flatMap { stored.tags(in: $0) }
        let isSearched = stored.noVarySearch != nil
        let normalized = stored.key.normalizedTargetURI
        let hasOwnKey = stored.key.content.isEmpty && normalized == stored.key.targetURI
        guard !groups.isEmpty || !tags.isEmpty || !hasOwnKey || isSearched else { return [] }
        let origin = stored.origin
        var labels = groups.map { StoreLabel.group($0, of: origin) }
        labels += tags.map { StoreLabel.tag($0, of: origin) }
        if !hasOwnKey { labels.append(StoreLabel.target(normalized)) }
        if isSearched { labels += [StoreLabel.searches, StoreLabel.search(normalized)] }
        return labels
    }
}

extension StoredResponse {
    /// Returns the members of a field that are separated by spaces, as in `Surrogate-Key`, or by commas, as in
    /// `Cache-Tag`; a member that is not UTF-8 is read as ISO-8859-1.
    fileprivate func tags(in field: HTTPField.Name) -> [String] {
        response.headerFields[fields: field].flatMap { line in
            line.withUnsafeBytesOfValue { bytes in
                bytes.split { [0x20, 0x09, 0x2C].contains($0) }.map { member in
                    String(validating: member, as: UTF8.self)
                        ?? String(String.UnicodeScalarView(member.map { Unicode.Scalar($0) }))
                }
            }
        }
    }
}
