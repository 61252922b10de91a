public import HTTPTypes

extension CacheEngine {
    /// Settings that are rarely used; kept in one place, so that the others are small and quickly copied.
    struct Options: Sendable {
        var targets: [HTTPField.Name] = []
        var partition: CredentialPartition?

        var isUsual: Bool { targets.isEmpty && partition == nil }
    }

    /// A reference to options, which is copied with an engine.
    final class SharedOptions: Sendable {
        let values: Options

        init(_ values: Options) { self.values = values }
    }

    /// The targeted fields that this cache obeys, the first that a response has before the others (RFC 9213 §2.2);
    /// default none.
    public var targets: [HTTPField.Name] {
        get { options?.values.targets ?? [] }
        set { change { $0.targets = newValue } }
    }

    /// How a private cache of several accounts keeps them apart; default `nil`: it does not.
    ///
    /// A shared cache passes it over: there RFC 9111 §3.5 decides, and what that allows is everybody's.
    public var partition: CredentialPartition? {
        get { options?.values.partition }
        set { change { $0.partition = newValue } }
    }

    private mutating func change(_ body: (inout Options) -> Void) {
        var values = options?.values ?? Options()
        body(&values)
        options = values.isUsual ? nil : SharedOptions(values)
    }

    /// Whether the credentials of a request are part of its key.
    public var keyHasCredentials: Bool { activePartition != nil }

    /// The partition where it counts.
    var activePartition: CredentialPartition? { kind == .private ? options?.values.partition : nil }
}
