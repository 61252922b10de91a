package import CacheClient
package import CacheSemantics
package import CacheStorage

/// Decorators for the parts of the built-in client, which may add defects.
///
/// A part whose decorator is `nil` is used unchanged.
package struct Decoration: Sendable {
    /// Decorates the engine that decides.
    package var decisions: (@Sendable (CacheEngine) -> any CacheDecisions)?
    /// Decorates the store of the responses; called again at each restart.
    package var store: (@Sendable (any ResponseStore) -> any ResponseStore)?
    /// Decorates the transport of the requests.
    package var transport: (@Sendable (any Transport) -> any Transport)?

    /// Creates an empty decoration.
    package init() {}
}
