// The modules of the types in this module's interface, so that one import is enough for a program.
@_exported public import Certificates
@_exported public import Clocks
@_exported public import ControlServing
@_exported public import HTTPServing
@_exported public import HTTPTypes
@_exported public import JSON
@_exported public import LocatedYAML
@_exported public import OriginScript
