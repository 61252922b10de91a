/// Whether a client may use the network, and why not.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum NetworkAccess: UInt8, Sendable, Hashable, CaseIterable {
    /// It may.
    case allowed
    /// There is no network: exchanges fail with −1009.
    case offline
    /// The only network requires roaming, which is off: exchanges fail with −1018.
    case roamingOff
    /// The network does not allow data: exchanges fail with −1020.
    case dataNotAllowed

    /// The failure of an exchange; `nil` if the network may be used.
    var failure: TransportError? {
        switch self {
        case .allowed: nil
        case .offline: TransportError(.offline, "The client is offline.")
        case .roamingOff: TransportError(.roamingOff, "The network requires roaming, which is off.")
        case .dataNotAllowed: TransportError(.dataNotAllowed, "The network does not allow data.")
        }
    }
}
