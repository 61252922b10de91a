import CacheSemantics

/// A challenge that is answered with a digest of the password (RFC 7616).
///
/// Of the qualities of protection `auth` is there, and none, as RFC 2069 had it; `auth-int` is not, because the content of
/// a request may be a stream that has to be sent before it can be digested.
struct DigestChallenge: Sendable, Hashable {
    /// How digests are made, the stronger later.
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

    /// `nil` for another scheme, and for what cannot be answered.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let realm = parameters["realm"], let nonce = parameters["nonce"]
        else {
            return nil
        }
        name = parameters["algorithm"]
        switch name?.lowercased() {
        case nil, "md5": (algorithm, isSession) = (.md5, false)
        case "md5-sess": (algorithm, isSession) = (.md5, true)
        case "sha-256": (algorithm, isSession) = (.sha256, false)
        case "sha-256-sess": (algorithm, isSession) = (.sha256, true)
        default: return nil
        }
        let qualities = parameters["qop"]?.lowercased().split { $0 == "," || $0 == " " }
        if let qualities, !qualities.contains("auth") { return nil }
        hasQuality = qualities != nil
        (self.realm, self.nonce, opaque) = (realm, nonce, parameters["opaque"])
    }

    /// The value of Authorization for a request of a method and a target; each nonce is used once.
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
