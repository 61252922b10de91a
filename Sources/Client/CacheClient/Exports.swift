// The modules of the types in this module's interface, so that one import is enough for a program.
@_exported public import Addresses
@_exported public import CacheSemantics
@_exported public import CacheStorage
@_exported public import Clocks
@_exported public import HTTPTypes
