/// Which certificates of servers a client accepts.
public struct TLSTrust: Sendable, Hashable {
    /// The authorities that must have signed a server's certificate.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Authorities: Sendable, Hashable {
        /// Those of the system.
        case system
        /// Those of a file in PEM.
        case file(String)
    }
    /// Trusted authorities; default the system's.
    public var authorities = Authorities.system
    /// Whether chain, validity and host name are verified; default yes.
    public var verifies = true

    /// Creates the trust in the system's authorities.
    public init() {}
}
