// Re-exports the modules whose types appear in this module's interface.
@_exported public import CacheClient
@_exported public import ControlServing
@_exported public import HTTPServing
