import LocatedYAML
import TextCodings

/// The users whose requests a route answers: Basic authentication (RFC 7617).
public struct Credentials: Sendable, Hashable {
    /// The realm in the 401.
    public var realm: String
    /// Passwords by user.
    public var users: [String: String]

    /// Creates credentials.
    public init(realm: String = "CacheCheck", users: [String: String]) {
        self.realm = realm
        self.users = users
    }

    /// Returns whether the value of `Authorization` names a user with the right password.
    public func accept(_ authorization: String?) -> Bool {
        guard let authorization else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let bytes = Base64.decode(String(parts[1])), let text = String(validating: bytes, as: UTF8.self),
            let colon = text.firstIndex(of: ":")
        else { return false }
        return users[String(text[..<colon])] == String(text[text.index(after: colon)...])
    }
}

/// The keys of credentials.
package enum CredentialsKey: String, MapKey {
    case realm, users
    package static let mapName = "credentials"
}

extension Credentials {
    /// `{users: {name: password}}` with an optional `realm`.
    static var reader: Reader<Credentials> {
        Reader { node, problems in
            guard let map = MapReader<CredentialsKey>(node, problems) else { return nil }
            let realm = Reader.fieldText.when(
                { !$0.contains("\"") && !$0.contains("\\") },
                expected: "text without quotes"
            )
            return Credentials(
                realm: map.optional(.realm, realm) ?? "CacheCheck",
                users: map.required(.users, users) ?? [:]
            )
        }
    }

    private static var users: Reader<[String: String]> {
        Reader { node, problems in
            guard let pairs = node.pairs, !pairs.isEmpty else {
                problems.add(node, expected: "a map of users to passwords")
                return nil
            }
            var users: [String: String] = [:]
            for pair in pairs {
                if pair.key.contains(":") {
                    problems.add(
                        at: pair.keyPosition,
                        found: YAMLNode.quoted(pair.key),
                        expected: "a user without a colon"
                    )
                }
                users[pair.key] = Reader.text.read(pair.value, problems)
            }
            return users
        }
    }
}
