// The modules of the types in this module's interface, so that one import is enough for a program.
@_exported public import CacheSemantics
