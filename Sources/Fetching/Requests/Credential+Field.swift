extension Credential {
    /// The value of Authorization; `nil` where the server has not asked and is not told before.
    func fieldValue(isAsked: Bool) -> String? {
        switch self {
        case .basic(let user, let password): isAsked ? Self.basic(user, password) : nil
        case .preemptiveBasic(let user, let password): Self.basic(user, password)
        case .bearer(let token): "Bearer " + token
        }
    }

    /// What tells one asker from another.
    var identity: String {
        switch self {
        case .basic(let user, let password), .preemptiveBasic(let user, let password):
            Self.basic(user, password)
        case .bearer(let token): "Bearer " + token
        }
    }

    private static func basic(_ user: String, _ password: String) -> String {
        "Basic " + Base64.text(of: Array("\(user):\(password)".utf8))
    }
}

/// Base64 (RFC 4648 §4).
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    static func text(of bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
            for place in 0..<4 {
                let digit = Int(bits >> (18 - 6 * UInt32(place))) & 63
                result.append(place <= group.count ? alphabet[digit] : UInt8(ascii: "="))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
