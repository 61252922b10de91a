public import CacheSemantics
import LocatedYAML

/// A driver's description of itself and of its cache.
public struct DriverCapabilities: Sendable, Hashable {
    /// An ability of a driver besides requests.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Capability: String, Sendable, Hashable, CaseIterable {
        /// Several requests at a time.
        case parallel
        /// Dropping everything in memory and opening the same store again.
        case restart
        /// Moving its cache's clock.
        case advance
        /// Reporting when no background work is left.
        case idle
        /// Reporting the stored responses.
        case dump
        /// The six request policies.
        case policy
        /// Timeouts of requests.
        case timeout
        /// Following redirects, or not, as requested.
        case redirects
        /// Distinguishing kinds of errors.
        case errors
    }
    /// The version of the driver protocol.
    public static let protocolVersion = 1
    /// Name of the cache: `hishel`.
    public var name: String
    /// Its version: `0.1.3`.
    public var version: String
    /// The kind of cache; `nil` if the driver has no cache.
    public var kind: CacheKind?
    /// The abilities of the driver.
    public var capabilities: Set<Capability>
    /// The limits of requests to it; none by default.
    public var refuses = Refusals()

    /// Creates a driver's description.
    public init(name: String, version: String, kind: CacheKind?, capabilities: Set<Capability>) {
        self.name = name
        self.version = version
        self.kind = kind
        self.capabilities = capabilities
    }
}
