import CacheClient

/// The settings of a client.
typealias Settings = CachingClient.Configuration
