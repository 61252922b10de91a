import ArgumentParser
import CacheSemantics

extension RequestCachePolicy {
    /// The values of `--policy`, separated by commas.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Creates the policy of a `--policy`; throws a `ValidationError` for another word.
    init(option name: String) throws {
        guard let policy = RequestCachePolicy(rawValue: name) else {
            throw ValidationError("--policy: found \"\(name)\", expected one of \(Self.names)")
        }
        self = policy
    }
}
