import ArgumentParser
import CacheSemantics

extension CredentialPartition {
    /// Returns the partition that `--partition` configures; `nil` without the option.
    ///
    /// Throws for a shared cache, which must not rely on it (RFC 9111 §3.5), and for a secret of less than 16 bytes.
    init?(secret: String?, of kind: CacheKind) throws {
        guard let secret else { return nil }
        try demand(kind == .private, "--partition: found --cache \(kind.rawValue), expected --cache private")
        try demand(
            secret.utf8.count >= 16,
            "--partition: found a secret of \(secret.utf8.count) bytes, expected at least 16"
        )
        self.init(salt: Array(secret.utf8))
    }
}
