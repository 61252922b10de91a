// Re-exports the modules whose types appear in this module's interface.
@_exported public import CacheClient
@_exported public import FaultProxy
@_exported public import HTTPServing
@_exported public import LocatedYAML
@_exported public import MockOrigin
