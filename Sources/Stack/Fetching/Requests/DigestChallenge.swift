import CacheSemantics

/// A challenge for digest authentication (RFC 7616).
///
/// Supports the quality of protection `auth`, and none, as in RFC 2069. `auth-int` is not supported, because
/// it would require the digest of content that may be a stream.
struct DigestChallenge: Sendable, Hashable {
    /// The digest algorithms, from weak to strong.
    enum Algorithm: Int, Sendable, Hashable {
        case md5, sha256
    }
    let algorithm: Algorithm
    private let name: String?
    private let isSession: Bool
    private let realm: String
    private let nonce: String
    private let opaque: String?
    private let hasQuality: Bool

    /// Creates a digest challenge; `nil` for another scheme, or if the challenge is not supported.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        name = parameters["algorithm"]
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"],
            let method = Self.methods[name?.lowercased() ?? "md5"]
        else { return nil }
        (algorithm, isSession) = method
        let qualities = parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " }
        if let qualities, !qualities.contains("auth") { return nil }
        hasQuality = qualities != nil
        (self.realm, self.nonce, opaque) = (realm, nonce, parameters["opaque"])
    }

    /// The values of `algorithm` (RFC 7616 §3.3), in lower case.
    private static let methods: [String: (Algorithm, isSession: Bool)] = [
        "md5": (.md5, false), "md5-sess": (.md5, true),
        "sha-256": (.sha256, false), "sha-256-sess": (.sha256, true),
    ]

    /// Returns the value of Authorization for a method and a target; each nonce is used once.
    func answer(user: String, password: String, method: String, target: String, clientNonce: String) -> String
    {
        var secret = digest("\(user):\(realm):\(password)")
        if isSession { secret = digest("\(secret):\(nonce):\(clientNonce)") }
        let middle = hasQuality ? "\(nonce):00000001:\(clientNonce):auth" : nonce
        let response = digest("\(secret):\(middle):\(digest("\(method):\(target)"))")
        var parts = [
            "username=\(Self.quoted(user))", "realm=\(Self.quoted(realm))", "nonce=\(Self.quoted(nonce))",
            "uri=\(Self.quoted(target))", "response=\(Self.quoted(response))",
        ]
        if let name { parts.append("algorithm=\(name)") }
        if let opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if hasQuality || isSession { parts.append("cnonce=\(Self.quoted(clientNonce))") }
        if hasQuality { parts += ["qop=auth", "nc=00000001"] }
        return "Digest " + parts.joined(separator: ", ")
    }

    private func digest(_ text: String) -> String {
        switch algorithm {
        case .md5: MessageDigest.md5(text)
        case .sha256: SHA256.text(text.utf8)
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
    }
}
