// Re-exports the modules whose types appear in this module's interface.
@_exported public import CacheClient
@_exported public import Foundation

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
