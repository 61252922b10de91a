/// Identifies equal requests: by base URL, path, method and parameters, and the client's identity.
///
/// Its text is that of the documents: four MD5 digests joined by `_`. If the client is identified, a fifth
/// digest is added.
public struct RequestIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// Digest of the base URL.
    public let host: String
    /// Digest of the path as given in the request.
    public let path: String
    /// Digest of the method.
    public let method: String
    /// Digest of the parameters without the configuration's defaults.
    public let parameters: String
    /// Digest of the credentials, cookies and default fields; `nil` if there are none.
    public let identity: String?

    /// Creates the identifier of a request; slashes at the end of `base` are ignored.
    public init(base: String, path: String, method: String, parameters: Parameters, identity: String? = nil) {
        let trimmed = base.reversed().drop { $0 == "/" }.reversed()
        host = MessageDigest.md5("Host:" + String(trimmed))
        self.path = MessageDigest.md5("Url:" + path)
        self.method = MessageDigest.md5("Method:" + method)
        let text = parameters.isEmpty ? "" : parameters.json.prettyText
        self.parameters = MessageDigest.md5("Parameters:" + text)
        self.identity = identity.map { MessageDigest.md5("Identity:" + $0) }
    }

    /// Parses what `description` writes; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        let areDigests = parts.allSatisfy {
            $0.utf8.count == 32 && $0.allSatisfy("0123456789abcdef".contains)
        }
        guard areDigests, parts.count == 4 || parts.count == 5 else { return nil }
        host = String(parts[0])
        path = String(parts[1])
        method = String(parts[2])
        parameters = String(parts[3])
        identity = parts.count == 5 ? String(parts[4]) : nil
    }

    /// The digests joined by `_`.
    public var description: String {
        ([host, path, method, parameters] + [identity].compactMap { $0 }).joined(separator: "_")
    }
}
