package import HTTPTypes
import TextCodings

extension Credential {
    /// The value of Authorization for a request without a challenge; `nil` if a challenge is required.
    package var preemptiveValue: String? {
        switch self {
        case .basic, .login: nil
        case .preemptiveBasic(let user, let password): Self.basicValue(user, password)
        case .bearer(let token): "Bearer " + token
        }
    }

    /// Returns the value of Authorization in response to a challenge; `nil` if the credential does not match it.
    package func answer(
        to refusal: HTTPResponse,
        method: HTTPRequest.Method,
        url: String,
        clientNonce: String = String(UInt64.random(in: 0 ... .max), radix: 36)
    ) -> String? {
        guard refusal.status.code == 401 else { return nil }
        let challenges = AuthenticationChallenge.all(in: refusal.headerFields)
        let asksForBasic = challenges.contains { $0.scheme == "basic" }
        switch self {
        case .basic(let user, let password): return asksForBasic ? Self.basicValue(user, password) : nil
        case .login(let user, let password):
            let digests = challenges.compactMap(DigestChallenge.init)
            // RFC 7616 §3.7: the strongest algorithm that both support.
            guard let strongest = digests.max(by: { $0.algorithm.rawValue < $1.algorithm.rawValue }) else {
                return asksForBasic ? Self.basicValue(user, password) : nil
            }
            return strongest.answer(
                user: user,
                password: password,
                method: method.rawValue,
                target: RequestURL.target(of: url),
                clientNonce: clientNonce
            )
        case .preemptiveBasic, .bearer: return nil
        }
    }

    /// A text that identifies the user, for cache keys.
    var identity: String {
        switch self {
        case .basic(let user, let password), .login(let user, let password),
            .preemptiveBasic(let user, let password):
            Self.basicValue(user, password)
        case .bearer: preemptiveValue ?? ""
        }
    }

    private static func basicValue(_ user: String, _ password: String) -> String {
        "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }
}
