public import HTTPTypes

extension CacheEngine {
    /// Rarely used settings, stored separately so that an engine is small and cheap to copy.
    struct Options: Sendable {
        var targets: [HTTPField.Name] = []
        var partition: CredentialPartition?
        var keyFields: [HTTPField.Name] = []

        var isUsual: Bool { targets.isEmpty && partition == nil && keyFields.isEmpty }
    }

    /// A reference to options, which is copied with an engine.
    final class SharedOptions: Sendable {
        let values: Options

        init(_ values: Options) { self.values = values }
    }

    /// The target list of this cache, in order of precedence (RFC 9213 §2.2); default empty.
    public var targets: [HTTPField.Name] {
        get { options?.values.targets ?? [] }
        set { change { $0.targets = newValue } }
    }

    /// The partition that separates the stored responses of a private cache's accounts; default `nil`: they are not
    /// separated.
    ///
    /// Ignored by a shared cache, where RFC 9111 §3.5 decides which responses to authorized requests all users share.
    public var partition: CredentialPartition? {
        get { options?.values.partition }
        set { change { $0.partition = newValue } }
    }

    /// Request fields whose values are part of the cache key, as digests; default none.
    ///
    /// For fields that change the response although `Vary` does not list them, such as those that proxies add.
    public var keyFields: [HTTPField.Name] {
        get { options?.values.keyFields ?? [] }
        set { change { $0.keyFields = newValue } }
    }

    private mutating func change(_ body: (inout Options) -> Void) {
        var values = options?.values ?? Options()
        body(&values)
        options = values.isUsual ? nil : SharedOptions(values)
    }

    /// The rules by which this cache stores responses, in a few words: its kind, the targeted fields that it obeys, and whether
    /// credentials are part of its keys.
    ///
    /// Caches whose rules differ must not share a folder.
    public var storingRules: String {
        let names = targets.map(\.canonicalName).joined(separator: ", ")
        let obeyed = names.isEmpty ? "" : " that obeys \(names)"
        return "\(kind.rawValue) cache\(obeyed)" + (keyHasCredentials ? ", with credentials in its keys" : "")
    }

    /// Whether the credentials of a request are part of its key.
    public var keyHasCredentials: Bool { activePartition != nil }

    /// Whether any field of a request may be part of its key.
    public var keyHasFields: Bool {
        options.map { keyHasCredentials || !$0.values.keyFields.isEmpty } ?? false
    }

    /// Returns the part of the key that the fields of a request contribute; usually empty.
    func keyPart(of fields: HTTPFields) -> String {
        let credentials = activePartition?.keyPart(of: fields) ?? ""
        let named = keyFields.filter { fields.contains($0) }
        guard !named.isEmpty else { return credentials }
        var digest = SHA256()
        for name in named {
            digest.add(part: name.canonicalName)
            for line in CredentialPartition.lines(of: name, in: fields) { digest.add(part: line) }
            // Ends the lines of one field.
            digest.add(part: "")
        }
        return credentials + ";f:" + digest.finish()
    }

    /// The partition, if it applies.
    var activePartition: CredentialPartition? { kind == .private ? options?.values.partition : nil }
}
