import TextCodings

extension Credential {
    /// The value of Authorization; `nil` where the server has not asked and is not told before.
    func fieldValue(isAsked: Bool) -> String? {
        if case .basic = self, !isAsked { nil } else { answer }
    }

    /// The value of Authorization for a server that has asked, which also tells one asker from another.
    package var answer: String {
        switch self {
        case .basic(let user, let password), .preemptiveBasic(let user, let password):
            "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
        case .bearer(let token): "Bearer " + token
        }
    }
}
