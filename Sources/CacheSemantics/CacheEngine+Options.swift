public import HTTPTypes

extension CacheEngine {
    /// What few engines have; kept in one place, so that the others are small and quickly copied.
    final class Options: Sendable {
        let targets: [HTTPField.Name]
        let partition: CredentialPartition?

        init(targets: [HTTPField.Name], partition: CredentialPartition?) {
            self.targets = targets
            self.partition = partition
        }
    }

    /// The targeted fields that this cache obeys, the first that a response has before the others (RFC 9213 §2.2);
    /// default none.
    public var targets: [HTTPField.Name] {
        get { options?.targets ?? [] }
        set { setOptions(targets: newValue, partition: options?.partition) }
    }

    /// How a private cache of several accounts keeps them apart; default `nil`: it does not.
    ///
    /// A shared cache passes it over: there RFC 9111 §3.5 decides, and what that allows is everybody's.
    public var partition: CredentialPartition? {
        get { options?.partition }
        set { setOptions(targets: targets, partition: newValue) }
    }

    private mutating func setOptions(targets: [HTTPField.Name], partition: CredentialPartition?) {
        let isUsual = targets.isEmpty && partition == nil
        options = isUsual ? nil : Options(targets: targets, partition: partition)
    }

    /// Whether the credentials of a request are part of its key.
    public var keyHasCredentials: Bool { activePartition != nil }

    /// The partition where it counts.
    var activePartition: CredentialPartition? { kind == .private ? options?.partition : nil }
}
