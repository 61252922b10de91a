/// The source of a response, as scenarios and reports name it.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Provenance: String, Sendable, Hashable, CaseIterable {
    /// The origin, with its content.
    case origin
    /// The store, after validation by the origin.
    case validated
    /// The memory tier.
    case memory
    /// The disk tier.
    case disk
    /// No source: the cache generated the response (504).
    case generated = "none"
    /// Some tier of the store, if the subject has only one or does not report which.
    case cache
    /// The application cache of the networking stack.
    case application
    /// The origin, or the store after validation: a 304 to a conditional request looks the same in both cases.
    case originOrValidated = "origin or validated"

    /// The sources that a scenario or a driver may name.
    public static let ofCaches: [Provenance] = [.origin, .validated, .memory, .disk, .generated, .cache]

    /// Whether the response came from the store; `true` for one that was validated.
    var isStored: Bool { isStoreTier || self == .validated }

    private var isStoreTier: Bool { self == .memory || self == .disk || self == .cache }

    /// Whether one of the expected sources is met; `cache` matches each tier, each tier matches `cache`, and `inAnyTier` a
    /// tier matches the others, too.
    func satisfies(_ expected: [Provenance], inAnyTier: Bool = false) -> Bool {
        switch self {
        case .originOrValidated: expected.contains(.origin) || expected.contains(.validated)
        case .cache: expected.contains(where: \.isStoreTier)
        case .memory, .disk:
            expected.contains(self) || expected.contains(.cache)
                || inAnyTier && expected.contains(where: \.isStoreTier)
        case .origin, .validated, .generated, .application: expected.contains(self)
        }
    }
}

extension [Provenance] {
    /// The names joined by "or".
    package var text: String { map(\.rawValue).joined(separator: " or ") }

    /// Whether all are sources in the store; `false` for an empty list.
    package var areStored: Bool { !isEmpty && allSatisfy(\.isStored) }
}
