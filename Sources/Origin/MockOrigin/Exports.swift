// Re-exports the modules whose types appear in this module's interface.
@_exported public import Certificates
@_exported public import Clocks
@_exported public import ControlServing
@_exported public import HTTPServing
@_exported public import HTTPTypes
@_exported public import JSON
@_exported public import LocatedYAML
@_exported public import OriginScript
