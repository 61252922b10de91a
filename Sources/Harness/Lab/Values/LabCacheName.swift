/// The caches of the lab.
package enum LabCacheName: String, Sendable, Hashable, CaseIterable {
    /// The private cache of the first browser.
    case ada
    /// The private cache of the second browser.
    case ben
    /// The shared cache of the gateway.
    case gateway

    /// The two browsers, each a user agent with a private cache.
    static let browsers: [LabCacheName] = [.ada, .ben]
}
