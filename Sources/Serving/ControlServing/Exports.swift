// Re-exports the modules whose types appear in this module's interface.
@_exported public import Clocks
@_exported public import HTTPServing
@_exported public import JSON
@_exported public import LocatedYAML
