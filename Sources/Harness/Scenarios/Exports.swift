// Re-exports the modules whose types appear in this module's interface.
@_exported public import CacheSemantics
@_exported public import LocatedYAML
@_exported public import OriginScript
