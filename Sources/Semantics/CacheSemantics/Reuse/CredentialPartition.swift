internal import HTTPTypes

/// The separation of stored responses by account in a private cache.
///
/// A salted digest of the credentials of a request is part of its cache key, so that neither the key nor the stored
/// selecting fields reveal them. Requests without credentials share one partition.
public struct CredentialPartition: Sendable, Hashable {
    /// The salt of all digests: at least 16 random bytes, constant for the lifetime of the store.
    public let salt: [UInt8]
    /// The names of the cookies that identify accounts; `nil`, the default, for all cookies.
    public let cookies: Set<String>?

    /// Creates a partition.
    public init(salt: [UInt8], cookies: Set<String>? = nil) {
        self.salt = salt
        self.cookies = cookies
    }

    /// Returns the part of the key that the credentials of a request contribute; empty for a request without credentials.
    func keyPart(of fields: HTTPFields) -> String {
        let authorization = Self.lines(of: .authorization, in: fields)
        let pairs = Self.lines(of: .cookie, in: fields).flatMap { scoped($0) }
        guard !authorization.isEmpty || !pairs.isEmpty else { return "" }
        return ";p:" + digest(authorization + [""] + pairs)
    }

    /// Returns the digest that is stored in place of a credential; `nil` for other fields.
    func stored(_ field: HTTPField) -> String? {
        guard field.name == .authorization || field.name == .cookie else { return nil }
        return "digest " + digest([field.withUnsafeBytesOfValue { ASCII.exactText($0) }])
    }

    static func lines(of name: HTTPField.Name, in fields: HTTPFields) -> [String] {
        fields.filter { $0.name == name }.map { $0.withUnsafeBytesOfValue { ASCII.exactText($0) } }
    }

    /// Returns the relevant pairs of a Cookie line, in order.
    private func scoped(_ line: String) -> [String] {
        let pairs = line.split(separator: ";").map { Self.trimmed($0) }
        guard let cookies else { return pairs }
        return pairs.filter { cookies.contains(String($0.prefix { $0 != "=" })) }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(decoding: ASCII.trimmed(ArraySlice(Array(text.utf8))), as: UTF8.self)
    }

    private func digest(_ texts: [String]) -> String {
        var digest = SHA256()
        digest.add(salt)
        for text in texts { digest.add(part: text) }
        return digest.finish()
    }
}
