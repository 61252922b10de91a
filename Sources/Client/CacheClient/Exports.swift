// Re-exports the modules whose types appear in this module's interface.
@_exported public import Addresses
@_exported public import CacheSemantics
@_exported public import CacheStorage
@_exported public import Clocks
@_exported public import HTTPTypes
