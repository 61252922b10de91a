public import HTTPTypes

extension HTTPFields {
    /// Whether `Incremental` asks intermediaries to forward the message as it arrives (draft-ietf-httpbis-incremental §3).
    ///
    /// Parameters are ignored, and so is a field with any other value than a Boolean.
    public var isIncremental: Bool {
        contains(.incremental) && StructuredField.item(self[values: .incremental]) == .boolean(true)
    }

    /// The error in `Incremental`; empty if it is absent or valid.
    public var faultsOfIncremental: [StructuredFieldFault] {
        guard contains(.incremental) else { return [] }
        switch StructuredField.item(self[values: .incremental]) {
        case .boolean: return []
        case nil: return [.unparsable]
        default:
            return [.mistyped(member: HTTPField.Name.incremental.rawName, expected: "?1 or ?0")]
        }
    }
}
