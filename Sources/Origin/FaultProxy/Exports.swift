// The modules of the types in this module's interface, so that one import is enough for a program.
@_exported public import Addresses
@_exported public import Clocks
@_exported public import ControlServing
@_exported public import HTTPServing
@_exported public import LocatedYAML
@_exported public import MockOrigin
@_exported public import OriginScript
