/// Authenticates and authorizes the callers of operations.
struct ControlGuard: Sendable {
    /// The owner of a token.
    enum Caller: Sendable, Hashable {
        case server
        case other(String)

        var name: String? {
            if case .other(let name) = self { name } else { nil }
        }
    }
    let token: AccessToken
    let callers: @Sendable ([UInt8]) -> String?

    init(token: AccessToken, callers: @escaping @Sendable ([UInt8]) -> String?) {
        self.token = token
        self.callers = callers
    }

    /// Returns the owner of a token; `nil` if it is unknown.
    func caller(_ shown: [UInt8]) -> Caller? {
        if token.matches(shown) { return .server }
        return callers(shown).map { .other($0) }
    }

    /// Returns the caller of an operation; throws if the token is missing, unknown or not permitted.
    func admit(
        _ authorization: String?,
        to operation: ControlOperation?
    ) throws(ControlProblem) -> Caller? {
        if operation?.access == .open { return nil }
        guard let shown = authorization.flatMap(Self.bearer), let caller = caller(shown) else {
            throw ControlProblem(
                status: 401,
                "Authorization: Bearer TOKEN is required; the server printed its token at start."
            )
        }
        if operation?.access == .serverToken, caller != .server {
            throw ControlProblem(
                status: 403,
                "This operation requires the server's own token, not a namespace's."
            )
        }
        return caller
    }

    /// Returns the token of a field value with the scheme `Bearer` (RFC 6750 §2.1); `nil` if it has another scheme.
    private static func bearer(_ value: String) -> [UInt8]? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return Array(parts[1].drop { $0 == " " }.utf8)
    }
}
