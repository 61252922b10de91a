// The modules of the types in this module's interface, so that one import is enough for a test.
@_exported public import Clocks
@_exported public import FaultProxy
@_exported public import HTTPServing
@_exported public import HTTPTypes
@_exported public import MockOrigin
@_exported public import OriginScript
