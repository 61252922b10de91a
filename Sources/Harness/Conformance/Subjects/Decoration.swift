package import CacheClient
package import CacheSemantics
package import CacheStorage

/// What is put around the parts of the built-in client, so that it may do wrong on purpose.
///
/// A part that is `nil` is used as it is.
package struct Decoration: Sendable {
    /// What decides, given the engine that would.
    package var decisions: (@Sendable (CacheEngine) -> any CacheDecisions)?
    /// What keeps the responses, given the store that would; asked for anew at each restart.
    package var store: (@Sendable (any ResponseStore) -> any ResponseStore)?
    /// What carries the requests, given the transport that would.
    package var transport: (@Sendable (any Transport) -> any Transport)?

    /// Creates a decoration of nothing.
    package init() {}
}
