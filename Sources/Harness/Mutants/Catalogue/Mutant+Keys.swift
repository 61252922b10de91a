import CacheSemantics
import CacheStorage
import Conformance
import HTTPTypes

extension Mutant {
    /// Keys that are the same for two targets (RFC 9111 §2, §4).
    static let ofKeys: [Mutant] = [
        Mutant(
            "key-without-query",
            "The query is not part of the key",
            [.keyHasMethodAndTarget, .reuseSameTarget],
            documents: ["urlcache.key-includes-query"],
            keyed { uri in String(uri.prefix { $0 != "?" }) }
        ),
        Mutant(
            "key-in-lower-case",
            "Target URIs are compared case-insensitively",
            [.keyHasMethodAndTarget, .reuseSameTarget],
            keyed { $0.lowercased() }
        ),
        Mutant(
            "key-without-host",
            "The authority is not part of the key",
            [.keyHasMethodAndTarget, .reuseSameTarget],
            keyed { uri in
                let origin = StoredResponse.origin(of: uri)
                return "http://any" + uri.dropFirst(origin.count)
            }
        ),
        Mutant(
            "key-without-trailing-slash",
            "A trailing slash of the path is not part of the key",
            [.reuseSameTarget],
            keyed { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        ),
        Mutant(
            "key-with-sorted-query",
            "The parameters of the query are sorted in the key",
            [.reuseSameTarget],
            keyed { uri in
                let parts = uri.split(separator: "?", maxSplits: 1)
                guard parts.count == 2 else { return uri }
                return parts[0] + "?" + parts[1].split(separator: "&").sorted().joined(separator: "&")
            }
        ),
        Mutant(
            "key-without-content",
            "The content of a QUERY is not part of its key",
            [.queryKey],
            keyed(content: { $0.hasPrefix("q:") ? "q:" : $0 })
        ),
        Mutant(
            "key-without-credentials",
            "Different accounts share stored responses",
            [.keyHasCredentials],
            keyed(content: { String($0.prefix { $0 != ";" }) })
        ),
        Mutant(
            "credentials-readable",
            "The credentials of a request are stored in plain text with its response",
            [.credentialsUnreadable],
            EngineDefect.putting { stored, exchanged in
                stored.changing { fields in
                    for name in [HTTPField.Name.authorization, .cookie] {
                        fields[name] = exchanged.request.headerFields[name]
                    }
                }
            }
        ),
    ]

    private static func keyed(
        uri: @escaping @Sendable (String) -> String = { $0 },
        content: @escaping @Sendable (String) -> String = { $0 }
    ) -> Decoration {
        var decoration = Decoration()
        decoration.store = { base in
            KeyMergingStore(base) { key in
                CacheKey(targetURI: uri(key.targetURI), content: content(key.content))
            }
        }
        return decoration
    }

    private static func keyed(_ uri: @escaping @Sendable (String) -> String) -> Decoration { keyed(uri: uri) }
}
