// Re-exports the modules whose types appear in this module's interface.
@_exported public import Addresses
@_exported public import Clocks
@_exported public import ControlServing
@_exported public import HTTPServing
@_exported public import LocatedYAML
@_exported public import MockOrigin
@_exported public import OriginScript
